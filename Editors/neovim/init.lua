-- Neovim 0.7 and later: poprules speaks for every YAML file below a folder with rules.
vim.api.nvim_create_autocmd("FileType", {
  pattern = "yaml",
  callback = function(args)
    -- Indents a line of YAML again once it is written: Neovim begins it deeper, and a chosen key has no typed colon.
    vim.bo[args.buf].indentkeys = vim.bo[args.buf].indentkeys .. ",*<Return>"
    -- Newer ones do this by themselves: Control-X Control-O completes, K says what stands under the cursor.
    vim.bo[args.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
    vim.keymap.set("n", "K", vim.lsp.buf.hover, { buffer = args.buf })
    local here = vim.fn.expand("<afile>:p:h") .. ";"
    local found = vim.fn.findfile("poprules.yaml", here)
    if found == "" then found = vim.fn.finddir("rules", here) end
    local config = {
      name = "poprules",
      cmd = { "poprules", "lsp" },
      root_dir = vim.fn.fnamemodify(found == "" and vim.fn.expand("<afile>:p") or found, ":p:h"),
    }
    if found ~= "" and vim.fn.isdirectory(found) == 1 then
      config.root_dir = vim.fn.fnamemodify(found, ":p:h:h")
    end
    if vim.lsp.start then return vim.lsp.start(config) end
    vim.lsp.buf_attach_client(args.buf, vim.lsp.start_client(config))
  end,
})

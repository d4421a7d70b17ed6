-- Neovim 0.8 and later: poprules speaks for every YAML file below a folder with rules.
vim.api.nvim_create_autocmd("FileType", {
  pattern = "yaml",
  callback = function(args)
    local found = vim.fs.find({ "poprules.yaml", "rules", ".git" }, {
      upward = true, path = vim.fs.dirname(vim.api.nvim_buf_get_name(args.buf)),
    })
    vim.lsp.start({
      name = "poprules",
      cmd = { "poprules", "lsp" },
      root_dir = found[1] and vim.fs.dirname(found[1]) or nil,
    })
  end,
})

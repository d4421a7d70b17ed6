-- Neovim without anybody in front of it writes the popups of a shop in an empty folder: keys, values and names that
-- there are already are chosen from what is offered, what is new is typed.
-- Run by `Editors/tests/run`, which says where the program and the files are.
local program, folder = os.getenv("POPRULES"), os.getenv("FOLDER") .. "/empty"

local function fail(text)
  io.stderr:write("neovim, shop: " .. text .. "\n")
  vim.cmd("cquit 1")
end

vim.fn.mkdir(folder .. "/rules", "p")
vim.cmd("edit " .. folder .. "/rules/shop.yaml")
vim.bo.expandtab, vim.bo.indentexpr, vim.bo.autoindent = true, "", false
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "poprules", cmd = { program, "lsp" }, root_dir = folder })
if not client then fail("the server does not start") end
vim.lsp.buf_attach_client(buffer, client)
vim.wait(5000, function() return vim.lsp.get_client_by_id(client).initialized end)

-- Where the cursor is: line and byte, from 0.
local line, column = 0, 0

local function type_text(text)
  local new = vim.split(text, "\n")
  vim.api.nvim_buf_set_text(buffer, line, column, line, column, new)
  column = #new == 1 and column + #new[1] or #new[#new]
  line = line + #new - 1
end

local function choose(label)
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/completion", {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = column },
  }, 5000)
  local result = answers and answers[client] and answers[client].result
  if not result then fail("no completion for `" .. label .. "`") end
  for _, item in ipairs(result.items) do
    if item.label == label then
      vim.lsp.util.apply_text_edits({ item.textEdit }, buffer, "utf-16")
      local new = item.textEdit.newText
      if new:find("[%z\n]") then fail("`" .. label .. "` is written as " .. vim.inspect(new)) end
      column = item.textEdit.range.start.character + #new
      return
    end
  end
  fail("`" .. label .. "` is not offered behind `" .. vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] .. "`")
end

-- What begins with `+` is chosen.
for _, part in ipairs({
  "+poprules", "1\n", "+context", "\n  user.plan: { ", "+type", "+string", ", ", "+values", "[free, pro], ", "+default", "+free",
  " }\n  user.launches: { ", "+type", "+int", ", ", "+default", "0 }\n", "+events",
  "\n  order.paid: { total: ", "+double", " }\n", "+templates", "\n  sheet:\n    ", "+required", "\n      title: ", "+string",
  "\n", "+popups", "\n  welcome:\n    ", "+description", "Greets a new user\n    ", "+owner", "growth\n    ",
  "+priority", "+high", "\n    ", "+trigger", "+start", "\n    ", "+when", "+user.launches", " < 3\n    ", "+template",
  "+sheet", "\n    ", "+content", "\n      ", "+title", "Hello\n  rating:\n    ", "+description", "Asks for stars\n    ",
  "+owner", "growth\n    ", "+after", "+welcome", "\n    ", "+trigger", "{ ", "+event", "+order.paid", ", ", "+where",
  "+event.total", " > 10.0 }\n    ", "+when", "+user.plan", " == ", '+"free"', "\n    ", "+cap", "{ ", "+lifetime", "1 }\n    ", "+template", "+sheet", "\n    ", "+content", "\n      ", "+title", '"You paid {{', "+event.total", '"\n',
}) do
  if part:sub(1, 1) == "+" then
    choose(part:sub(2))
  else
    type_text(part)
  end
end

local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
print(text)
vim.wait(2000, function() return false end)
for _, finding in ipairs(vim.diagnostic.get(buffer)) do
  if finding.severity <= vim.diagnostic.severity.WARN then fail(finding.message .. "\n" .. text) end
end
vim.cmd("write")
local told = vim.fn.system({ program, "validate", folder .. "/rules" })
if vim.v.shell_error ~= 0 then fail(told) end
print("neovim: a shop's popups, written in an empty folder by choosing\n")
vim.cmd("qall!")

-- Neovim without anybody in front of it, with a server beside ours that knows popups by their schema, as
-- yaml-language-server does: with the settings of the page, or without the line of the schema, nothing appears twice.
-- Run by `Editors/tests/run`, which says where the program and the files are.
local program, folder = os.getenv("POPRULES"), os.getenv("FOLDER")

local function fail(text)
  io.stderr:write("neovim, both servers: " .. text .. "\n")
  vim.cmd("cquit 1")
end

local function ok(value, text)
  if not value then fail(text) end
  return value
end

vim.fn.system({ program, "schema", "--for", folder .. "/rules", "-o", folder .. "/rules/poprules.schema.json" })
vim.cmd("edit " .. folder .. "/rules/shop.yaml")
local buffer = vim.api.nvim_get_current_buf()
vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "# yaml-language-server: $schema=./poprules.schema.json" })

local function start(name, cmd)
  local client = ok(vim.lsp.start_client({ name = name, cmd = cmd, root_dir = folder }), name .. " does not start")
  ok(vim.lsp.buf_attach_client(buffer, client), name .. " is not attached")
  vim.wait(5000, function() return vim.lsp.get_client_by_id(client).initialized end)
  return client
end

start("poprules", { program, "lsp" })
local other = start("schema", { "python3", "schema_server.py" })

local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find(text, 1, true) then return number - 1 end
  end
  fail("there is no `" .. text .. "`")
end

-- The answers of both servers that are not empty.
local function answers(method, line, character)
  local parameters = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  if line then parameters.position = { line = line, character = character } end
  if method == "formatting" then parameters.options = { tabSize = 2, insertSpaces = true } end
  local found = {}
  for _, answer in pairs(vim.lsp.buf_request_sync(buffer, "textDocument/" .. method, parameters, 5000) or {}) do
    local result = answer.result
    local items = result and (result.items or result)
    if items and next(items) ~= nil then table.insert(found, items) end
  end
  return found
end

-- How often a mistake is told, a key is offered and explained, and who would lay out the file.
local function counts()
  local mistake = line_of("priorty")
  local told = 0
  for _, finding in ipairs(vim.diagnostic.get(buffer)) do
    if finding.lnum == mistake and finding.severity == vim.diagnostic.severity.ERROR then told = told + 1 end
  end
  local offered = 0
  for _, items in ipairs(answers("completion", mistake, 4)) do
    for _, item in ipairs(items) do
      if item.label == "template" then offered = offered + 1 end
    end
  end
  return { told = told, offered = offered, explained = #answers("hover", line_of("owner: growth"), 6),
    laid_out = #answers("formatting") }
end

local function expect(number, laid_out, text)
  local found
  local wanted = vim.inspect({ told = number, offered = number, explained = number, laid_out = laid_out })
  if not vim.wait(5000, function()
    found = vim.inspect(counts())
    return found == wanted
  end, 100) then fail(text .. ": " .. found .. ", not " .. wanted) end
end

-- Misspelt, and with too many blanks, so that there is something to lay out.
local line = line_of("description: Greets")
vim.api.nvim_buf_set_lines(buffer, line, line, false, { "    priorty:  high" })
expect(2, 2, "by the schema and by default")

local client = vim.lsp.get_client_by_id(other)
client.notify("workspace/didChangeConfiguration", { settings = { yaml = {
  validate = false, completion = false, hover = false, format = { enable = false } } } })
expect(1, 1, "with the settings of the page")

client.notify("workspace/didChangeConfiguration", { settings = { yaml = {
  validate = true, completion = true, hover = true, format = { enable = false } } } })
expect(2, 1, "by the schema again")
vim.api.nvim_buf_set_lines(buffer, 0, 1, false, {})
expect(1, 1, "without the line of the schema")
print("neovim: a server that knows the schema beside ours, and nothing twice\n")
vim.cmd("qall!")

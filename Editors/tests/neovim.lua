-- Neovim without anybody in front of it: a mistake is typed, seen and mended, a popup renamed, a key completed.
-- Run by `Editors/tests/run`, which says where the program and the files are.
local program, folder = os.getenv("POPRULES"), os.getenv("FOLDER")

local function fail(text)
  io.stderr:write("neovim: " .. text .. "\n")
  vim.cmd("cquit 1")
end

local function ok(value, text)
  if not value then fail(text) end
  return value
end

vim.cmd("edit " .. folder .. "/rules/shop.yaml")
local buffer = vim.api.nvim_get_current_buf()
local client = ok(vim.lsp.start_client({
  name = "poprules", cmd = { program, "lsp" }, root_dir = folder,
}), "the server does not start")
vim.lsp.buf_attach_client(buffer, client)
ok(vim.wait(5000, function() return vim.lsp.buf_is_attached(buffer, client) end), "not attached")
vim.wait(5000, function() return vim.lsp.get_client_by_id(client).initialized end)

local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then return number - 1, column - 1 end
  end
  fail("there is no `" .. text .. "`")
end

local function request(method, parameters)
  local answers = vim.lsp.buf_request_sync(buffer, "textDocument/" .. method, parameters, 5000)
  local answer = ok(answers and answers[client], method .. ": no answer")
  ok(not answer.err, method .. ": " .. vim.inspect(answer.err))
  return answer.result
end

local function place(text, behind)
  local line, column = line_of(text)
  return {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = column + (behind or 1) },
  }
end

local function text() return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") end

-- A mistake is typed.
local line = line_of("description: Greets")
vim.api.nvim_buf_set_lines(buffer, line, line, false, { "    priorty: high" })
ok(vim.wait(5000, function() return #vim.diagnostic.get(buffer) > 0 end), "no finding")
local finding = vim.diagnostic.get(buffer)[1]
ok(finding.message:find("unknown key `priorty` in a popup", 1, true), finding.message)
ok(finding.lnum == line, "the finding is in another line")

-- It is mended.
local start = { line = line, character = 4 }
local actions = request("codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(buffer),
  range = { start = start, ["end"] = start },
  context = { diagnostics = {} },
})
ok(actions[1].title == "write `priority`", actions[1].title)
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
ok(text():find("    priority: high", 1, true), "the fix is not applied")
ok(vim.wait(5000, function() return #vim.diagnostic.get(buffer) == 0 end), "the finding stays")

-- A popup gets another name, in all places.
local edit = request("rename", vim.tbl_extend("force", place("welcome:"), { newName = "greeting" }))
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
ok(text():find("after: [greeting]", 1, true), "`after` has the old name")
ok(not text():find("welcome", 1, true), "the old name is left")

-- A key is completed.
line = line_of("owner: growth")
vim.api.nvim_buf_set_lines(buffer, line, line, false, { "    when: user.plan == \"" })
local list = request("completion", place("user.plan == \"", 14))
local labels = vim.tbl_map(function(item) return item.label end, list.items)
ok(vim.tbl_contains(labels, "free") and vim.tbl_contains(labels, "pro"), vim.inspect(labels))

-- What stands there is said.
ok(vim.inspect(request("hover", place("order.paid"))):find("payload:", 1, true), "no hover")
print("neovim: a finding, its fix, a rename, a completion and a hover\n")
vim.cmd("qall!")

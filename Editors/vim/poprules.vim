" Vim 8 and later with ALE: ~/.vim/plugin/poprules.vim. ALE's `:ALECodeAction`, `:ALERename`, `:ALEHover`,
" `:ALEGoToDefinition` and `:ALEFindReferences` ask the server; changes of several files need `set hidden`.
function! PoprulesFolder(buffer) abort
  let l:mark = ale#path#FindNearestFile(a:buffer, 'poprules.yaml')
  return fnamemodify(empty(l:mark) ? bufname(a:buffer) : l:mark, ':p:h')
endfunction

autocmd VimEnter * call ale#linter#Define('yaml', {
\   'name': 'poprules',
\   'lsp': 'stdio',
\   'executable': 'poprules',
\   'command': '%e lsp',
\   'project_root': function('PoprulesFolder'),
\})
autocmd FileType yaml setlocal omnifunc=ale#completion#OmniFunc

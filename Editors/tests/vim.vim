" Vim with ALE and without anybody in front of it: a mistake is typed, seen and mended, a popup renamed, a key completed.
" Run by `Editors/tests/run`, which says where the program and the files are.
function! Fail(text) abort
  call writefile(['vim: ' . a:text], '/dev/stderr', 'a')
  cquit 1
endfunction

function! Wait(condition, what) abort
  for l:try in range(500)
    if eval(a:condition) | return | endif
    sleep 20m
  endfor
  call Fail('waited in vain for ' . a:what . ': ' . string(getline(1, '$')))
endfunction

" What a person would type where ALE asks.
let answer = ''
runtime autoload/ale/util.vim
function! ale#util#Input(message, value, ...) abort
  return g:answer
endfunction

function! Find(text) abort
  call cursor(1, 1)
  if search('\V' . a:text, 'cW') == 0 | call Fail('there is no `' . a:text . '`') | endif
endfunction

filetype plugin on
let g:ale_linters = {'yaml': ['poprules']}
set hidden
source ../vim/poprules.vim
doautocmd VimEnter
execute 'cd ' . $FOLDER
edit rules/shop.yaml

function! Findings() abort
  return map(copy(get(get(g:ale_buffer_info, bufnr(''), {}), 'loclist', [])), 'v:val.text')
endfunction

" A mistake is typed.
call Find('description: Greets')
call append(line('.') - 1, '    priorty: high')
ALELint
call Wait('!empty(Findings())', 'the finding')
if Findings()[0] !~# 'unknown key `priorty` in a popup' | call Fail(Findings()[0]) | endif
call Find('priorty')
if g:ale_buffer_info[bufnr('')].loclist[0].lnum != line('.') | call Fail('the finding is in another line') | endif

" It is mended.
let answer = '1'
ALECodeAction
call Wait('search(''\V    priority: high'', ''cwn'')', 'the fix')
ALELint
call Wait('empty(Findings())', 'the end of the finding')

" A popup gets another name, in all places.
let answer = 'greeting'
call Find('welcome:')
ALERename
call Wait('search(''\V  greeting:'', ''cwn'')', 'the new name')
if !search('\Vafter: [greeting]', 'cwn') | call Fail('`after` has the old name: ' . string(getline(1, '$'))) | endif
call Wait('join(readfile(''rules/shop.test.yaml'')) =~# ''main: greeting'' || getbufline(''shop.test.yaml'', 1, ''$'') != []', 'the test')

" A key is completed.
call Find('owner: growth')
call append(line('.') - 1, '    dism')
call cursor(line('.') - 1, 1)
execute "normal! A\<C-x>\<C-o>\<Esc>"
if getline('.') !~# '^    dismiss_when:' | call Fail('completed to: ' . getline('.')) | endif

call writefile(['vim: a finding, its fix, a rename and a completion'], '/dev/stdout', 'a')
qall!

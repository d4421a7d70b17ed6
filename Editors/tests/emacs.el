;;; emacs.el --- Eglot without anybody in front of it  -*- lexical-binding: t -*-
;; Run by `Editors/tests/run`, which says where the program and the files are.
(require 'eglot)
(require 'flymake)

(define-derived-mode rules-mode text-mode "Rules")
(add-to-list 'eglot-server-programs `(rules-mode . (,(getenv "POPRULES") "lsp")))

(defun ok (value text)
  (unless value (message "emacs: %s" text) (kill-emacs 1))
  value)

(defun wait-for (check)
  (let ((left 100) value)
    (while (and (not (setq value (funcall check))) (> left 0))
      (accept-process-output nil 0.05)
      (setq left (1- left)))
    value))

;; A change of several files is asked about.
(fset 'y-or-n-p (lambda (&rest _) t))
(fset 'yes-or-no-p (lambda (&rest _) t))
(setq enable-local-variables nil make-backup-files nil)

(defun place () (eglot--pos-to-lsp-position))

(let ((folder (getenv "FOLDER")) (eglot-autoshutdown nil))
  (find-file (concat folder "/rules/shop.yaml"))
  (rules-mode)
  (apply #'eglot--connect (eglot--guess-contact))
  (ok (wait-for #'eglot-current-server) "the server does not start")
  (eglot--maybe-activate-editing-mode)
  (let ((server (eglot-current-server)))
    ;; A mistake is typed.
    (goto-char (point-min))
    (search-forward "description: Greets")
    (beginning-of-line)
    (insert "    priorty: high\n")
    (eglot--signal-textDocument/didChange)
    (flymake-mode 1)
    (flymake-start)
    (ok (wait-for #'flymake-diagnostics) "no finding")
    (ok (string-match-p "unknown key `priorty` in a popup"
                        (flymake-diagnostic-text (car (flymake-diagnostics))))
        "another finding")
    ;; It is mended.
    (search-backward "priorty")
    (let* ((range (list :start (place) :end (place)))
           (actions (jsonrpc-request
                     server :textDocument/codeAction
                     (list :textDocument (eglot--TextDocumentIdentifier) :range range
                           :context (list :diagnostics [])))))
      (ok (equal (plist-get (aref actions 0) :title) "write `priority`") "another fix")
      (eglot--apply-workspace-edit (plist-get (aref actions 0) :edit)))
    (goto-char (point-min))
    (ok (search-forward "priority: high" nil t) "the fix is not applied")
    ;; A popup gets another name.
    (goto-char (point-min))
    (search-forward "welcome:")
    (backward-char 3)
    (eglot--signal-textDocument/didChange)
    (eglot-rename "greeting")
    (goto-char (point-min))
    (ok (search-forward "after: [greeting]" nil t) "`after` has the old name")
    ;; A key is completed.
    (goto-char (point-min))
    (search-forward "when: ")
    (insert "user.")
    (eglot--signal-textDocument/didChange)
    (let* ((found (eglot-completion-at-point))
           (labels (all-completions "" (nth 2 found))))
      (ok (member "user.plan" labels) (format "no completion: %S" labels)))
    (set-buffer-modified-p nil)
    (message "emacs: a finding, its fix, a rename and a completion")
    (kill-emacs 0)))
;;; emacs.el ends here

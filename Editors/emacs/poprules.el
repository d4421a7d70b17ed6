;;; poprules.el --- Eglot for rules of popups  -*- lexical-binding: t -*-
;; With yaml-mode (package elpa-yaml-mode) or yaml-ts-mode of Emacs 29.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((yaml-mode yaml-ts-mode) . ("poprules" "lsp"))))
(add-hook 'yaml-mode-hook #'eglot-ensure)
(add-hook 'yaml-ts-mode-hook #'eglot-ensure)
(provide 'poprules)
;;; poprules.el ends here

/// The look of the shop, as GTK's CSS. The edges of popups have colors that nothing else has: by
/// them the test finds popups on a picture of the screen.
let styles = """
    window { background: #faf7f2; color: #2d2a26; font-family: sans-serif; font-size: 15px; }
    .bar { background: #ffffff; padding: 10px 20px; border-bottom: 1px solid #e8e2d8; }
    .brand { font-size: 20px; font-weight: bold; color: #1f5c4d; }
    .search { background: #f3efe8; border-radius: 18px; padding: 8px 18px; color: #8a8378; }
    button { background: #ffffff; border: 1px solid #d9d2c6; border-radius: 18px; padding: 6px 16px;
        box-shadow: none; text-shadow: none; color: #2d2a26; }
    button:hover { background: #f3efe8; }
    button.tab { border-color: transparent; }
    button.tab.current { background: #e3efe9; color: #1f5c4d; font-weight: bold; }
    button.main { background: #1f5c4d; border-color: #1f5c4d; color: #ffffff; }
    button.close { border-color: transparent; padding: 2px 10px; font-size: 18px; }
    button.network { border-color: transparent; color: #2e9e6b; padding: 6px; }
    button.network.offline { color: #c0392b; }
    .badge { background: #1f5c4d; color: #ffffff; border-radius: 10px; padding: 1px 8px; }
    .pointed { box-shadow: 0 0 0 3px #f2a33a; }
    .page { padding: 24px 36px; }
    .heading { font-size: 22px; font-weight: bold; }
    .card { background: #ffffff; border: 1px solid #ece6dc; border-radius: 14px; padding: 12px; }
    .picture { border-radius: 10px; min-width: 210px; min-height: 110px; }
    .swatch { border-radius: 6px; min-width: 28px; min-height: 28px; }
    .sage { background: linear-gradient(135deg, #cfe3d6, #8fb8a0); }
    .sun { background: linear-gradient(135deg, #fbe6b2, #e9b949); }
    .rose { background: linear-gradient(135deg, #f6d4d2, #d98a86); }
    .sky { background: linear-gradient(135deg, #d2e5f4, #7fb0d6); }
    .sand { background: linear-gradient(135deg, #f0e4d0, #c9ad83); }
    .plum { background: linear-gradient(135deg, #ddd0e6, #a088b5); }
    .name { font-weight: bold; }
    .line { background: #ffffff; border: 1px solid #ece6dc; border-radius: 10px; padding: 8px 14px; }
    .total { font-size: 18px; font-weight: bold; }
    .faint { color: #8a8378; }
    .map { border-radius: 14px; background-color: #dfe9dc; background-image:
        linear-gradient(100deg, transparent 47%, #ffffff 47%, #ffffff 50%, transparent 50%),
        linear-gradient(10deg, transparent 38%, #ffffff 38%, #ffffff 42%, transparent 42%),
        linear-gradient(170deg, transparent 60%, #bcd9ea 60%, #bcd9ea 72%, transparent 72%); }
    .scrim { background: rgba(30, 26, 20, 0.45); }
    .sheet { background: #ffffff; border-top: 6px solid #7b2cbf; border-radius: 14px;
        padding: 20px 24px; min-width: 380px; }
    .title { font-size: 19px; font-weight: bold; }
    .toast { background: #2d2a26; border-left: 6px solid #e85d04; border-radius: 10px;
        padding: 10px 18px; margin: 24px; box-shadow: 0 4px 16px rgba(30, 26, 20, 0.25); }
    .toast-text { color: #ffffff; }
    progressbar trough { background: #57524b; border: none; border-radius: 0; min-width: 200px;
        min-height: 8px; }
    progressbar progress { background: #2bbfa4; border: none; border-radius: 0; min-height: 8px;
        margin: 0; }
    .guide { background: #ffffff; border-top: 6px solid #7b2cbf; border-radius: 14px;
        padding: 12px 18px; margin-top: 66px; min-width: 440px;
        box-shadow: 0 4px 16px rgba(30, 26, 20, 0.25); }
    """

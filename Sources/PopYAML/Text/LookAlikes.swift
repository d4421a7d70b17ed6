/// Returns the Latin letter that a Cyrillic or Greek letter looks like; nil if it looks like no
/// Latin letter.
func latinLookAlike(_ value: UInt32) -> Unicode.Scalar? {
    switch value {
    case 0x0391, 0x0410: "A"
    case 0x0392, 0x0412: "B"
    case 0x0421: "C"
    case 0x0395, 0x0415: "E"
    case 0x0397, 0x041D: "H"
    case 0x0399, 0x0406: "I"
    case 0x0408: "J"
    case 0x039A, 0x041A: "K"
    case 0x039C, 0x041C: "M"
    case 0x039D: "N"
    case 0x039F, 0x041E: "O"
    case 0x03A1, 0x0420: "P"
    case 0x0405: "S"
    case 0x03A4, 0x0422: "T"
    case 0x03A7, 0x0425: "X"
    case 0x03A5: "Y"
    case 0x0396: "Z"
    case 0x0430: "a"
    case 0x0441: "c"
    case 0x0435: "e"
    case 0x0456: "i"
    case 0x0458: "j"
    case 0x03BF, 0x043E: "o"
    case 0x0440: "p"
    case 0x0455: "s"
    case 0x03BD: "v"
    case 0x0445: "x"
    case 0x0443: "y"
    default: nil
    }
}

package csvfile

import (
	"strings"
	"unicode/utf8"
)

// escape prevents a spreadsheet from executing a cell: it then begins with an
// apostrophe. So does a cell whose text already looks like that, so that
// unescape returns each text as it was.
func escape(cell string) string {
	if executes(strings.TrimLeft(cell, "'")) {
		return "'" + cell
	}
	return cell
}

func unescape(cell string) string {
	if rest, quoted := strings.CutPrefix(cell, "'"); quoted && executes(strings.TrimLeft(rest, "'")) {
		return rest
	}
	return cell
}

// executes reports whether a spreadsheet takes a cell for a formula.
// Spreadsheets skip leading spaces and accept full-width characters.
func executes(cell string) bool {
	cell = strings.TrimSpace(cell)
	begin, _ := utf8.DecodeRuneInString(cell)
	return strings.ContainsRune("=+-@＝＋－＠", begin) && !isNumber(cell)
}

// isNumber reports whether a text is a number in any notation, such as -12.50,
// -1.234,50 or 1e3.
func isNumber(text string) bool {
	const digits = "0123456789"
	mantissa, exponent := text, "0"
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], unsigned(text[i+1:])
	}
	mantissa = unsigned(mantissa)
	return strings.ContainsAny(mantissa, digits) && strings.Trim(mantissa, digits+".,") == "" &&
		exponent != "" && strings.Trim(exponent, digits) == ""
}

// unsigned returns a text without its sign.
func unsigned(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}

package csvfile_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/practicesdk/practice-go/csvfile"
	"github.com/practicesdk/practice-go/models"
)

// A list from a spreadsheet: which separator and encoding it has is not asked.
func ExampleRead() {
	list := strings.NewReader("\ufeffDate;Rate;Text\r\n2026-03-02;385.50;Advice\r\n2026-03-03;\"385,50\";Advice\r\n")
	rows, err := csvfile.Read(list, []string{"date", "rate", "text"}, csvfile.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range rows {
		day, noDay := csvfile.Parse(row, "date", models.ParseDate)
		rate, noRate := csvfile.Parse(row, "rate", models.ParseDecimal)
		if err := errors.Join(noDay, noRate); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(day, rate)
	}
	// Output:
	// 2026-03-02 385.50
	// line 3, rate: "385,50": models: the text is not a valid decimal number
}

// A list whose columns are not known before, record by record: the file is not
// held.
func ExampleScan() {
	list := strings.NewReader("Date;Rate\n2026-03-02;385.50\n2026-03-03;12\n")
	known := func(columns []string) error {
		for _, column := range columns {
			if column != "Date" && column != "Rate" {
				return fmt.Errorf("the column %q is unknown", column)
			}
		}
		return nil
	}
	for row, err := range csvfile.Scan(list, known, csvfile.ReadOptions{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		rate, _ := row.Cell("Rate")
		fmt.Println(row.Line, rate)
		for column, text := range row.Cells() {
			fmt.Println("-", column, text)
		}
	}
	// Output:
	// 2 385.50
	// - Date 2026-03-02
	// - Rate 385.50
	// 3 12
	// - Date 2026-03-03
	// - Rate 12
}

// A file that a spreadsheet opens: it does not execute the formula, and the
// amount stays a number.
func ExampleWriter() {
	w := csvfile.NewWriter(os.Stdout, csvfile.Plain)
	for _, record := range [][]string{{"title", "balance"}, {"=HYPERLINK(\"http://example.test\")", "-12.50"}} {
		if err := w.Write(record); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// title,balance
	// "'=HYPERLINK(""http://example.test"")",-12.50
}

// An error tells the person who saved the file what to choose.
func ExampleError() {
	for _, list := range []string{"id,text\n1,\xc4rger\n", "id;note\n1;x\n"} {
		rows, err := csvfile.Read(strings.NewReader(list), []string{"id", "text"}, csvfile.ReadOptions{})
		failed, _ := errors.AsType[*csvfile.Error](err)
		switch {
		case err == nil:
			text, _ := rows[0].Cell("text")
			fmt.Println(text)
		case errors.Is(err, csvfile.ErrEncoding):
			fmt.Printf("line %d, character %d: save the list as UTF-8\n", failed.Line, failed.Column)
		case errors.Is(err, csvfile.ErrColumns), errors.Is(err, csvfile.ErrSeparator):
			fmt.Println(err)
		}
	}
	// Output:
	// line 2, character 3: save the list as UTF-8
	// line 1: the line does not contain the names of the required columns (id, text)
}

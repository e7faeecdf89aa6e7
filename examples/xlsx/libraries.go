package main

import (
	"github.com/tealeg/xlsx/v3"
	"github.com/thedatashed/xlsxreader"
	"github.com/xuri/excelize/v2"

	"github.com/alloctop/alloctop/examples/xlsx/workbook"
)

func readOurs(path string, opts workbook.Options) (cells int, err error) {
	w, err := workbook.Open(path, opts)
	if err != nil {
		return 0, err
	}
	return w.Len(), nil
}

// libraries are public readers, each used as its documentation shows for reading
// all cells. They return the number of cells.
var libraries = []struct {
	name, module string
	read         func(path string) (int, error)
}{
	{"excelize", "github.com/xuri/excelize/v2", readExcelize},
	{"tealeg", "github.com/tealeg/xlsx/v3", readTealeg},
	{"xlsxreader", "github.com/thedatashed/xlsxreader", readXlsxreader},
}

func readExcelize(path string) (cells int, err error) {
	f, err := excelize.OpenFile(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for _, sheet := range f.GetSheetList() {
		rows, err := f.GetRows(sheet)
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			cells += len(row)
		}
	}
	return cells, nil
}

func readTealeg(path string) (cells int, err error) {
	f, err := xlsx.OpenFile(path)
	if err != nil {
		return 0, err
	}
	for _, sheet := range f.Sheets {
		err := sheet.ForEachRow(func(row *xlsx.Row) error {
			return row.ForEachCell(func(cell *xlsx.Cell) error {
				cells++
				return nil
			})
		})
		if err != nil {
			return 0, err
		}
		sheet.Close()
	}
	return cells, nil
}

func readXlsxreader(path string) (cells int, err error) {
	f, err := xlsxreader.OpenFile(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for _, sheet := range f.Sheets {
		for row := range f.ReadRows(sheet) {
			if row.Error != nil {
				return 0, row.Error
			}
			cells += len(row.Cells)
		}
	}
	return cells, nil
}

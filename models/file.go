package models

// FileName returns the name of a file with its extension, in the form for
// FileCreate. It returns "" if the file has neither.
func (x *File) FileName() string { return x.Name + x.FileExtension }

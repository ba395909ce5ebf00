package models

// FileName returns the name of a file with its extension, as FileCreate takes
// it. It is empty when the file has neither.
func (x *File) FileName() string { return x.Name + x.FileExtension }

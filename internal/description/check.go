package description

// check refuses what can be read but makes no sense.
func (l *loader) check() {}

package description

func ref(name string) string { return "#/components/parameters/" + name }

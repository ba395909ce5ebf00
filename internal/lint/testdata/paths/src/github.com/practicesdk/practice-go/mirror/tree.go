package mirror

func below(in, name string) string { return in + "/" + name }

func request(id string) string { return "/staff/" + id } // want `do not build a path with \+`

package practice

func debug(n int) {
	println("n is", n) // want `println: the library prints nothing`
	print(n)           // want `print: the library prints nothing`
	_ = max(n, 0)
}

type printer struct{}

func (printer) print() {}

func (p printer) show() { p.print() }

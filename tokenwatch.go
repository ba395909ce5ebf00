package practice

// watch gives a channel that gets a value after every new access token, and a
// function that ends that. Several tokens in a row may give one value: whoever
// renews a token never waits for those who watch.
func (k *tokenKeeper) watch() (news <-chan struct{}, end func()) {
	own := make(chan struct{}, 1)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.watchers == nil {
		k.watchers = make(map[chan struct{}]struct{})
	}
	k.watchers[own] = struct{}{}
	return own, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.watchers, own)
	}
}

// announce tells all who watch.
func (k *tokenKeeper) announce() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for watcher := range k.watchers {
		select {
		case watcher <- struct{}{}:
		default:
		}
	}
}

package practicetest

import (
	"cmp"
	"slices"

	"github.com/practicesdk/practice-go/models"
)

// planState holds the internal data of a subscription.
type planState struct {
	methods []string // ids of its payment methods
	chosen  string   // id of its default payment method; empty if it has none
}

func planOf(r *record) planState {
	state, _ := r.data.(planState)
	return state
}

// paymentSystem is the id of the only payment processor.
const paymentSystem = "PROCESSOR"

func (p plans) listPaymentSystems(_ *Server, c *call) (answer, error) {
	item := encode(struct {
		ID    string   `json:"id"`
		Types []string `json:"supportedPaymentTypes"`
	}{paymentSystem, []string{"CreditCard"}})
	return bytesOf(withValue(collection{head: c.link.head("PaymentSystems", c.segments()...)}, [][]byte{item})), nil
}

// methodsOf returns all payment methods of the account.
func (p plans) methodsOf(s *Server, a *account) (all []*record) {
	for _, subscription := range s.state.list(p.subscription, a.id).All() {
		all = append(all, s.state.list(p.payment, subscription.id).All()...)
	}
	return all
}

func (p plans) listAccountPaymentMethods(s *Server, c *call) (answer, error) {
	return s.pageOf(c, p.methodsOf(s, c.account)), nil
}

func (p plans) listPaymentMethods(s *Server, c *call, subscription *record) (answer, error) {
	var all []*record
	for _, r := range p.methodsOf(s, c.account) {
		if slices.Contains(planOf(subscription).methods, r.id) {
			all = append(all, seenFrom(subscription, r))
		}
	}
	return s.pageOf(c, all), nil
}

func (p plans) getPaymentMethod(s *Server, c *call, subscription *record) (answer, error) {
	method, err := s.tx(c).read(p.payment, c.value("id"), nil)
	if err != nil {
		return nil, err
	}
	return s.recordOr(c, seenFrom(subscription, method), nil)
}

// seenFrom returns a payment method as part of a subscription. isDefault then
// refers to the default of the subscription.
func seenFrom(subscription, method *record) *record {
	r := method.next()
	r.above = []string{subscription.id}
	r.fields["isDefault"] = planOf(subscription).chosen == method.id
	return r
}

// addAccountPaymentMethod adds a payment method to the account but to none of
// its subscriptions.
func (p plans) addAccountPaymentMethod(s *Server, c *call) (answer, error) {
	subscriptions := s.state.list(p.subscription, c.account.id).All()
	if len(subscriptions) == 0 {
		return nil, conflict("paymentInformation", "the account is not a payment customer")
	}
	return p.addMethod(s, c, subscriptions[0].id, false)
}

func (p plans) addPaymentMethod(s *Server, c *call) (answer, error) {
	return p.addMethod(s, c, sameID(c.value("subscriptionId")), true)
}

func (p plans) addMethod(s *Server, c *call, subscription string, set bool) (answer, error) {
	above, body := []string{subscription}, c.members()
	w := s.making(c, p.payment, s.state.idFor(c, p.payment.path), "paymentmethod", subscription)
	return p.payment.write(s, c, w, above, func(t *tx) (*record, error) {
		old, err := t.find(p.subscription, subscription, nil)
		if err != nil {
			return nil, err
		}
		if system := body.str("paymentSystemId"); system != "" && system != paymentSystem {
			return nil, conflict("paymentSystemId", "no such payment system")
		}
		r := t.create(p.payment, w.id, above)
		r.fields = cardFields(body.is("isDefault"), t.now)
		if body.is("isDefault") {
			p.undefault(t)
		}
		if set {
			changed, state := t.edit(old), planOf(old)
			state.methods = append(slices.Clone(state.methods), w.id)
			changed.data = state
			t.put(changed, updated)
		}
		return r, t.settle(nil, r, created)
	})
}

// undefault clears the default payment method of the account.
func (p plans) undefault(t *tx) {
	for _, r := range p.methodsOf(t.server, t.account) {
		if r.fields.is("isDefault") {
			changed := t.edit(r)
			changed.fields["isDefault"] = false
			t.put(changed, updated)
		}
	}
}

// setDefaultPaymentMethod sets or clears the default payment method of a
// subscription.
func (p plans) setDefaultPaymentMethod(s *Server, c *call) (answer, error) {
	method := sameID(member[string](c, "paymentMethodId"))
	return p.alterPlan(s, c, func(_ *tx, r *record) error {
		state := planOf(r)
		if method == "" && string(r.fields.raw("type")) == "1" {
			return conflict("paymentMethodId", "is required for a usage subscription")
		}
		if method != "" && !slices.Contains(state.methods, method) {
			state.methods = append(slices.Clone(state.methods), method)
		}
		state.chosen = method
		r.data = state
		return nil
	})
}

// removePaymentMethod removes a payment method from a subscription, but not
// from the account.
func (p plans) removePaymentMethod(s *Server, c *call) (answer, error) {
	id, next := sameID(c.value("id")), sameID(member[string](c, "newDefaultPaymentMethodId"))
	return p.alterPlan(s, c, func(t *tx, r *record) error {
		state := planOf(r)
		if !slices.Contains(state.methods, id) {
			_, err := t.find(p.payment, id, nil)
			return unlessPending(err, notFound(p.payment.name))
		}
		state.methods = slices.DeleteFunc(slices.Clone(state.methods), func(one string) bool { return one == id })
		if next != "" && !slices.Contains(state.methods, next) {
			_, err := t.find(p.payment, next, nil)
			return unlessPending(err, conflict("newDefaultPaymentMethodId", "must be a payment method of the subscription"))
		}
		if state.chosen == id || next != "" {
			state.chosen = next
		}
		r.data = state
		return nil
	})
}

// alterPlan accepts a write that changes the subscription in the path.
func (p plans) alterPlan(s *Server, c *call, change func(*tx, *record) error) (answer, error) {
	id := sameID(cmp.Or(c.value("subscriptionId"), c.value("id")))
	return p.subscription.write(s, c, &write{resource: "subscription", id: id}, nil, func(t *tx) (*record, error) {
		old, err := t.find(p.subscription, id, nil)
		if err != nil {
			return nil, err
		}
		r := t.edit(old)
		if err := change(t, r); err != nil {
			return nil, err
		}
		return r, t.settle(nil, r, updated)
	})
}

// AddPaymentMethod adds a payment method to the account and a subscription and
// returns its id.
func (s *Server) AddPaymentMethod(subscriptionID string, body models.PaymentMethodAdd) string {
	return s.enter("addPaymentMethod", &body, subscriptionID)
}

// PaymentMethod returns the payment method with the id and reports whether it
// exists.
func (s *Server) PaymentMethod(id string) (models.PaymentMethod, bool) {
	return recordOf[models.PaymentMethod](s, "/subscriptions/{subscriptionId}/paymentmethods/{id}", id)
}

package description

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// RuleKind is the kind of a rule about several members of a body.
type RuleKind string

// Kinds of rules.
const (
	AtMostOne    RuleKind = "at most one of"  // at most one of the members is true
	ExactlyOne   RuleKind = "exactly one of"  // exactly one of the members has a value
	Needs        RuleKind = "needs"           // may have a value, or be true, only if another member has one of some values
	ZeroWith     RuleKind = "is 0 with"       // must be 0 while another member is true
	Differs      RuleKind = "differs from"    // must differ from another string
	Lacks        RuleKind = "lacks"           // must be a list that does not contain the value of another member
	NotTheCaller RuleKind = "is not the user" // must not be the user who makes the request
	NeverBecomes RuleKind = "never becomes"   // must not change from false to true
	ComesWith    RuleKind = "comes with"      // requires another member, or a certain value of it
	Excludes     RuleKind = "excludes"        // excludes some other members
)

// Rule is a rule about members of a body. Members[0] is its subject; the others
// are compared with it. Values are those of the second member.
type Rule struct {
	Kind    RuleKind
	Members []string
	Values  []string
	Pos     Pos
}

var ruleForms = []struct {
	kind RuleKind
	form *regexp.Regexp
}{
	{AtMostOne, regexp.MustCompile(`^at most one of (.+)$`)}, {ExactlyOne, regexp.MustCompile(`^exactly one of (.+)$`)},
	{Needs, regexp.MustCompile(`^(\w+) needs (\w+) (\S+)$`)}, {ZeroWith, regexp.MustCompile(`^(\w+) is 0 with (\w+)$`)},
	{Differs, regexp.MustCompile(`^(\w+) differs from (\w+)$`)}, {Lacks, regexp.MustCompile(`^(\w+) lacks (\w+)$`)},
	{ComesWith, regexp.MustCompile(`^(\w+) comes with (\w+)(?: (\S+))?$`)}, {Excludes, regexp.MustCompile(`^(\w+) excludes (.+)$`)},
	{NotTheCaller, regexp.MustCompile(`^(\w+) is not the user$`)}, {NeverBecomes, regexp.MustCompile(`^(\w+) never becomes true$`)},
}

// parseRule parses one rule, and returns false if it has no known form.
func parseRule(text string, at Pos) (Rule, bool) {
	for _, f := range ruleForms {
		found := f.form.FindStringSubmatch(text)
		switch {
		case found == nil:
		case f.kind == AtMostOne || f.kind == ExactlyOne:
			return Rule{f.kind, strings.Split(found[1], ", "), nil, at}, true
		case f.kind == Excludes:
			return Rule{f.kind, append(found[1:2], strings.Split(found[2], ", ")...), nil, at}, true
		case f.kind == ComesWith && found[3] == "":
			return Rule{f.kind, found[1:3], nil, at}, true
		case f.kind == Needs || f.kind == ComesWith:
			return Rule{f.kind, found[1:3], strings.Split(found[3], "/"), at}, true
		default:
			return Rule{f.kind, found[1:], nil, at}, true
		}
	}
	return Rule{}, false
}

// String returns the rule as a sentence.
func (r Rule) String() string {
	names := make([]string, len(r.Members))
	for i, name := range r.Members {
		names[i] = "`" + name + "`"
	}
	switch r.Kind {
	case AtMostOne:
		return "At most one of " + strings.Join(names, ", ") + " is true."
	case ExactlyOne:
		return "Exactly one of " + strings.Join(names, ", ") + " has a value."
	case Needs:
		return fmt.Sprintf("%s needs %s to be %s.", names[0], names[1], strings.Join(r.Values, " or "))
	case ZeroWith:
		return fmt.Sprintf("%s is 0 while %s is true.", names[0], names[1])
	case Lacks:
		return fmt.Sprintf("%s does not hold %s.", names[0], names[1])
	case ComesWith:
		return strings.Join(append([]string{names[0], "is sent only with", names[1]}, r.Values...), " ") + "."
	case Excludes:
		return names[0] + " is not sent with " + strings.Join(names[1:], ", ") + "."
	case NotTheCaller:
		return names[0] + " is not the user who makes the request."
	case NeverBecomes:
		return names[0] + " does not become true."
	default:
		return fmt.Sprintf("%s differs from %s.", names[0], names[1])
	}
}

// ruleRows reports rules about members that do not exist, or whose type does
// not fit the rule.
func (c *checker) ruleRows(s *Schema) {
	for _, r := range s.Rules {
		for i, name := range r.Members {
			m := s.Member(name)
			if m == nil {
				c.add(r.Pos, "%s: the rule mentions the member %q, which does not exist", s.Name, name)
				continue
			}
			flags := r.Kind == AtMostOne || r.Kind == NeverBecomes || r.Kind == ZeroWith && i == 1
			if flags && m.Type.Kind != Boolean {
				c.add(r.Pos, "%s: %s must be a bool for this rule", s.Name, name)
			}
			if (r.Kind == Needs || r.Kind == ComesWith) && i == 1 && m.Type.Enum != nil {
				for _, value := range r.Values {
					if !slices.ContainsFunc(m.Type.Enum.Values, func(v EnumValue) bool { return v.Value == value }) {
						c.add(r.Pos, "%s: %s does not have the value %q", s.Name, name, value)
					}
				}
			}
		}
	}
}

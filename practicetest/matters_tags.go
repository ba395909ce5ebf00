package practicetest

import (
	"slices"
	"strconv"
	"strings"
)

// matterTag is a tag in a request body.
type matterTag struct{ ID, Name, Color, Type string }

// addTags adds the tags that a matter does not have yet. Within a firm, tags
// are identified by their names.
func (matter matterKind) addTags(s *Server, c *call) (answer, error) {
	wanted := decoded[[]matterTag](c.rawBody)
	for i, tag := range wanted {
		if tag.Type != "Staff" && strings.TrimSpace(tag.Name) == "" {
			s.violate(c, "[%d].name: must not be blank, because the name identifies the tag", i)
		}
	}
	return matter.retag(s, c, func(t *tx, tags []fields) ([]fields, error) {
		for i, tag := range wanted {
			if tag.Type == "Staff" {
				if err := t.isNamed("["+strconv.Itoa(i)+"].id", "staff", tag.ID); err != nil {
					return nil, err
				}
				member, err := t.find(t.server.catalog.byTarget["staff"], tag.ID, nil)
				if err != nil {
					return nil, unlessPending(err, conflict("["+strconv.Itoa(i)+"].id", "no such staff member"))
				}
				tag.Name = strings.TrimSpace(member.fields.str("firstName") + " " + member.fields.str("lastName"))
			}
			made := t.server.state.matterTag(t.account, tag.Name, tag.Color, tag.ID)
			if !slices.ContainsFunc(tags, func(f fields) bool { return f["id"] == made["id"] }) {
				tags = append(tags, made)
			}
		}
		return tags, nil
	})
}

// matterTag returns the firm's tag with the name. It returns a new one if no
// matter has the tag yet.
func (st *state) matterTag(a *account, name, color, staff string) fields {
	made := st.newMatterTag(a, name, color, staff)
	for _, r := range st.list(st.by.byPath(matterPath), a.id).All() {
		for _, tag := range tagsOf(r) {
			if tag["id"] == made["id"] {
				return tag
			}
		}
	}
	return made
}

func (st *state) newMatterTag(a *account, name, color, staff string) fields {
	id := st.uuid("matter tag of "+a.id+" "+name, 0)
	if color == "" {
		color = "Brown"
	}
	f := fields{"head": location{"MatterTags", []string{"mattertags", id}}, "id": id, "type": "Custom", "name": name, "color": color}
	if staff != "" {
		f["type"], f["staff"] = "Staff", staff
	}
	return f
}

package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Limits of the overview of a matter.
const (
	maxClients   = 5
	eventsAhead  = 60 * 24 * time.Hour
	sectionText  = 4_500
	overviewText = maxText - 3_000 // the rest is for the notes
)

// errNoRoom reports a section that an overview has no room for.
var errNoRoom = errors.New("the overview is full; call list")

// overview collects the sections of the overview of a matter.
type overview struct {
	*Assistant
	matter      string
	notes, text strings.Builder
}

// matterOverview is the tool that returns a matter with what belongs to it.
func (a *Assistant) matterOverview(ctx context.Context, in *input) (string, error) {
	ctx = permitted(ctx, &permit{own: []string{"getContact"}}, maxRequests)
	o, err := a.reading("getMatter")
	if err != nil {
		return "", err
	}
	text, err := a.record(ctx, o, map[string]any{"matterId": in.MatterID}, nil)
	if err != nil {
		return "", err
	}
	v := &overview{Assistant: a, matter: in.MatterID}
	v.add("matter", string(text))
	v.clients(ctx, text)
	v.roles(ctx)
	now := a.Now().UTC()
	v.section(ctx, "open tasks", "listTasks", map[string]any{"MatterId": in.MatterID, "IsCompleted": false})
	v.section(ctx, "events in the next 60 days", "listEvents", map[string]any{
		"MatterId": in.MatterID, "From": now.Format(time.RFC3339), "To": now.Add(eventsAhead).Format(time.RFC3339), "ExcludeDeletedEvents": true,
	})
	v.section(ctx, "memos", "listMemos", map[string]any{"matterId": in.MatterID})
	v.section(ctx, "files", "listFiles", map[string]any{"matterId": in.MatterID})
	return v.notes.String() + data(v.text.String()), nil
}

// add adds a section, cut to the room that is left.
func (v *overview) add(name, text string) {
	shown, more := cut(text, min(sectionText, overviewText-v.text.Len()))
	if more {
		v.note(name, "too long; only the beginning is shown")
	}
	fmt.Fprintf(&v.text, "%s: %s\n", name, shown)
}

func (v *overview) note(name, text string) {
	shown, _ := cut(text, sectionText/10)
	fmt.Fprintf(&v.notes, "%s: %s.\n", name, shown)
}

// clients adds the contacts that the matter names as its clients.
func (v *overview) clients(ctx context.Context, matter []byte) {
	var record struct{ Clients any }
	_ = json.Unmarshal(matter, &record) // the client has read it
	o, _ := v.Policy.named("getContact")
	var all []string
	ids := idsIn(record.Clients)
	for i, id := range ids[:min(len(ids), maxClients)] {
		var text []byte
		err := v.client.Call(ctx, o.ID, map[string]any{"id": id}, nil, &text)
		if err == nil {
			text, err = v.cleaner.clean(text, kindOf(o))
		}
		if err != nil {
			v.note(fmt.Sprintf("client %d", i+1), "omitted: "+v.visible(err)) // the id is data
			continue
		}
		all = append(all, string(text))
	}
	if len(ids) > maxClients {
		v.note("clients", fmt.Sprintf("%d of %d shown", maxClients, len(ids)))
	}
	v.add("clients", "["+strings.Join(all, ",\n")+"]")
}

// roles adds the roles of the matter.
func (v *overview) roles(ctx context.Context) {
	o, err := v.reading("listMatterRoles")
	var text []byte
	if err == nil {
		text, err = v.record(ctx, o, map[string]any{"matterId": v.matter}, nil)
	}
	if err != nil {
		v.note("roles", "omitted: "+v.visible(err))
		return
	}
	v.add("roles", string(text))
}

// section adds the beginning of a list. It says how many records the list has
// only if the list was read to its end.
func (v *overview) section(ctx context.Context, name, id string, arguments map[string]any) {
	o, err := v.reading(id)
	room := min(sectionText, overviewText-v.text.Len())
	if err == nil && room <= 0 {
		err = errNoRoom
	}
	var p page
	if err == nil {
		p, err = v.listed(ctx, o, arguments, nil, 0, fewRecords, room)
	}
	if p.cut {
		v.note(name, "the first one is too long; only its beginning is shown")
	}
	switch {
	case err != nil:
		v.note(name, "omitted: "+v.visible(err))
		return
	case p.next > 0:
		v.note(name, fmt.Sprintf("only the first %d are shown; the total is unknown", len(p.records)))
	default:
		v.note(name, fmt.Sprintf("%d in total", len(p.records)))
	}
	fmt.Fprintf(&v.text, "%s: [%s]\n", name, strings.Join(p.records, ",\n"))
}

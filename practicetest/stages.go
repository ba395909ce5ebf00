package practicetest

import (
	"cmp"
	"slices"

	"github.com/practicesdk/practice-go/models"
)

const (
	stageSetPath    = "/stagesets/{id}"
	stagePath       = "/stagesets/{stageSetId}/stages/{id}"
	matterStagePath = "/matters/{matterId}/stages"
)

// stages returns the area of stages. Stages belong to stage sets; a matter is
// in at most one stage.
func stages() area {
	set := &resource{path: stageSetPath, relation: "StageSets", event: "stageset"}
	stage := &resource{path: stagePath, relation: "Stages", placed: joinSet}
	set.placed = func(t *tx, r *record) error { return stagesWith(t, r, stage) }
	reached := stageReached{&resource{
		path: matterStagePath, relation: "MatterStages", event: "matterstage",
		derive: func(r *record) fields { return fields{"id": r.fields["stage"].(*record).id} },
		owner:  func(r *record) string { return r.account.id },
		order:  func(a, b *record) int { return cmp.Compare(a.data.(uint64), b.data.(uint64)) },
	}}
	return area{
		name: "Stages", resources: []*resource{set, stage, reached.resource},
		handlers: handlers{"listMatterStages": reached.ofFirm},
		seed: func(sd *seeder, a *account) {
			for _, s := range stageSets {
				r := sd.add(a, set, fields{"name": s.name})
				var all []*record
				for _, name := range s.stages {
					all = append(all, sd.add(a, stage, fields{"name": name}, r.id))
				}
				r.fields["stages"] = all
			}
		},
		below: func(sd *seeder, m *record, n int) {
			if at := sd.plan(n).stage; at > 0 {
				of := sd.all(m.account, "stagesets")[sd.plan(n).stageSet]
				r := sd.make(m.account, reached.resource, m.id, stageOf(of, stagesOf(of)[at-1]), []string{m.id})
				r.data = m.number
				sd.put(r)
			}
		},
	}
}

var stageSets = [...]struct {
	name   string
	stages []string
}{
	{"Property", []string{"Instructions", "Contract", "Searches", "Settlement"}},
	{"Estate", []string{"Instructions", "Grant of probate", "Collection", "Distribution"}},
	{"Dispute", []string{"Pleadings", "Discovery", "Mediation", "Hearing", "Judgment"}},
}

func stagesOf(set *record) []*record {
	all, _ := set.fields["stages"].([]*record)
	return all
}

// stageOf returns the members of the matter stage record.
func stageOf(set, stage *record) fields { return fields{"stageSet": set.id, "stage": stage} }

// stageReached is the resource of matter stages. The id of a record is that of
// the stage. Lists are sorted by the number of the matter, held in data, since
// the records may be generated in any order.
type stageReached struct{ *resource }

// ofFirm lists the matter stages of all matters.
func (reached stageReached) ofFirm(s *Server, c *call) (answer, error) {
	s.state.furnishAll()
	found, err := reached.find(s, c, nil)
	return s.pageOf(c, found), err
}

// stagesWith creates the stages of a new stage set.
func stagesWith(t *tx, set *record, of *resource) error {
	var all []*record
	for _, one := range elements(set.fields["stages"]) {
		f, id, err := of.membersOf(one.(rawText))
		if err != nil {
			return err
		}
		if id == "" {
			id = of.newID(t.server.state, f)
		}
		stage := t.create(of, id, []string{set.id})
		stage.fields = f
		all = append(all, t.put(stage, created))
	}
	set.fields["stages"] = all
	return nil
}

// joinSet appends a new stage to its set.
func joinSet(t *tx, stage *record) error {
	set, err := t.find(stage.of.above, stage.above[0], nil)
	if err != nil {
		return err
	}
	set = t.edit(set)
	set.fields["stages"] = append(slices.Clone(stagesOf(set)), stage)
	t.put(set, updated)
	return nil
}

// AddStageSet adds a stage set with its stages to the firm and returns its id.
func (s *Server) AddStageSet(set models.StageSet) string {
	return s.place(stageSetPath, &set)
}

// AddStage appends a stage to a stage set and returns its id.
func (s *Server) AddStage(stageSetID string, stage models.Stage) string {
	return s.place(stagePath, &stage, stageSetID)
}

// SetMatterStage moves a matter to a stage at once and raises the event.
func (s *Server) SetMatterStage(matterID, stageID string) {
	s.asApplication("SetMatterStage", movedTo(matterID, stageID))
}

// movedTo returns a change that moves a matter to a stage.
func movedTo(matterID, stageID string) func(*tx) error {
	return func(t *tx) error {
		by, st := t.server.catalog, t.server.state
		m, err := t.find(by.byPath(matterPath), matterID, nil)
		if err != nil {
			return err
		}
		stage, err := t.find(by.byPath(stagePath), stageID, nil)
		if err != nil {
			return err
		}
		set, err := t.find(by.byPath(stageSetPath), stage.above[0], nil)
		if err != nil {
			return err
		}
		st.furnish(m.id)
		of := by.byPath(matterStagePath)
		r, err := t.find(of, m.id, nil)
		if err != nil {
			r = t.create(of, m.id, []string{m.id})
		}
		r = t.edit(r)
		r.fields, r.data = stageOf(set, stage), m.number
		t.put(r, updated)
		return nil
	}
}

// MatterStage returns the stage that a matter is in and reports whether it is
// in one.
func (s *Server) MatterStage(matterID string) (models.MatterStage, bool) {
	return recordOf[models.MatterStage](s, matterStagePath, matterID)
}

// StageSet returns the stage set with the id and reports whether it exists.
func (s *Server) StageSet(id string) (models.StageSet, bool) {
	return recordOf[models.StageSet](s, stageSetPath, id)
}

// Stage returns the stage with the id and reports whether it exists.
func (s *Server) Stage(id string) (models.Stage, bool) {
	return recordOf[models.Stage](s, stagePath, id)
}

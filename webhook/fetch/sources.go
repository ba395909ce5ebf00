package fetch

import (
	"context"
	"reflect"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// sourceOf returns the operation that reads the record of an event type, and
// false if there is none. All event types of an area have the same record.
func sourceOf(eventType models.EventType) (reader, bool) {
	area, _, _ := strings.Cut(string(eventType), ".")
	src, ok := sources()[area]
	return src, ok
}

// sources returns the operations by area. It has no entry for files, because
// their events concern several files, for layoutmatter, because no operation
// returns it, or for error.
func sources() map[string]reader {
	return map[string]reader{
		"activitycode":         byID(func(c *practice.Client) one[models.ActivityCode] { return c.ActivityCodes.Get }),
		"archive":              onceOfMatter(func(c *practice.Client) one[models.MatterArchive] { return c.Matters.GetArchive }),
		"billingconfiguration": onceOfMatter(func(c *practice.Client) one[models.BillingConfiguration] { return c.Matters.GetBillingConfiguration }),
		"contact":              byID(func(c *practice.Client) one[models.Contact] { return c.Contacts.Get }),
		"event":                byID(func(c *practice.Client) one[models.CalendarEvent] { return c.Events.Get }),
		"expense":              belowMatter(func(c *practice.Client) two[models.Expense] { return c.Expenses.Get }),
		"fee":                  belowMatter(func(c *practice.Client) two[models.Fee] { return c.Fees.Get }),
		"firm":                 source[models.Firm]{get: func(ctx context.Context, c *practice.Client, _ place) (*models.Firm, error) { return c.Firm.Get(ctx) }},
		"firmuser":             byID(func(c *practice.Client) one[models.FirmUser] { return c.Firm.GetUser }),
		"invoice":              belowMatter(func(c *practice.Client) two[models.Invoice] { return c.Invoices.Get }),
		"layoutdesign": source[models.LayoutDesign]{needsID: true, get: func(ctx context.Context, c *practice.Client, at place) (*models.LayoutDesign, error) {
			return c.Layouts.GetDesign(ctx, at.id, practice.LayoutDesignOptions{})
		}},
		"matter":      byID(func(c *practice.Client) one[models.Matter] { return c.Matters.Get }),
		"matteritems": onceOfMatter(func(c *practice.Client) one[models.MatterItems] { return c.Matters.GetItems }),
		"matterstage": onceOfMatter(func(c *practice.Client) one[models.MatterStage] { return c.Stages.GetMatterStage }),
		"mattertype":  byID(func(c *practice.Client) one[models.MatterType] { return c.MatterTypes.Get }),
		"memo":        belowMatter(func(c *practice.Client) two[models.Memo] { return c.Memos.Get }),
		"roles":       onceOfMatter(func(c *practice.Client) one[models.MatterRoles] { return c.Roles.GetForMatter }),
		"staff":       byID(func(c *practice.Client) one[models.StaffMember] { return c.Staff.Get }),
		"stageset":    byID(func(c *practice.Client) one[models.StageSet] { return c.Stages.GetSet }),
		"task":        byID(func(c *practice.Client) one[models.Task] { return c.Tasks.Get }),
		"user":        byID(func(c *practice.Client) one[models.User] { return c.Users.Get }),
	}
}

// source describes the operation that reads a record, and the ids that it
// needs.
type source[R any] struct {
	needsID, needsMatter bool
	once                 bool // a matter has one such record; without a matter id in the payload, the id is that of the matter
	get                  func(context.Context, *practice.Client, place) (*R, error)
}

// reader is a source of any record type.
type reader interface{ record() reflect.Type }

func (source[R]) record() reflect.Type { return reflect.TypeFor[R]() }

// Client methods with one id and with two.
type (
	one[R any] = func(ctx context.Context, id string, opts ...practice.CallOption) (*R, error)
	two[R any] = func(ctx context.Context, matterID, id string, opts ...practice.CallOption) (*R, error)
)

func byID[R any](method func(*practice.Client) one[R]) reader {
	return source[R]{needsID: true, get: func(ctx context.Context, c *practice.Client, at place) (*R, error) {
		return method(c)(ctx, at.id)
	}}
}

func belowMatter[R any](method func(*practice.Client) two[R]) reader {
	return source[R]{needsID: true, needsMatter: true, get: func(ctx context.Context, c *practice.Client, at place) (*R, error) {
		return method(c)(ctx, at.matter, at.id)
	}}
}

func onceOfMatter[R any](method func(*practice.Client) one[R]) reader {
	return source[R]{once: true, needsMatter: true, get: func(ctx context.Context, c *practice.Client, at place) (*R, error) {
		return method(c)(ctx, at.matter)
	}}
}

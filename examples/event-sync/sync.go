package main

import (
	"context"
	"errors"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

const walks = 5 // over a calendar that changes meanwhile, before the round is given up

var (
	errUnsettled = errors.New("the calendar changed during every walk: what was read is kept, the next run goes on")
	errVanished  = errors.New("more than half of the copy is not listed any more: is this another firm? -prune takes it as deleted")
	errNoID      = errors.New("an event has no id")
)

// syncer synchronises a copy with the calendar.
type syncer struct {
	copy    *calendarCopy
	client  *practice.Client
	service string // base address of the client
	page    int    // events of one page, and of one transaction
	prune   bool   // treat missing events as deleted
}

// round makes one, or resumes the one that was cut. A round that fails keeps
// its number and its mark.
func (s *syncer) round(ctx context.Context, full bool) (round, error) {
	from, err := s.identify(ctx)
	if err != nil {
		return round{}, err
	}
	r, err := s.copy.begin(ctx, from, full)
	if err != nil {
		return r, err
	}
	r.prune = s.prune
	if err := s.meetAll(ctx, r); err != nil {
		return r, err
	}
	if r.full {
		if err := s.confirm(ctx, r); err != nil {
			return r, err
		}
	}
	return r, s.copy.finish(ctx, r)
}

// confirm walks once more when events are missing: a record that moves during a
// walk can hide another one.
func (s *syncer) confirm(ctx context.Context, r round) error {
	missing, err := r.missing(ctx, s.copy)
	if err != nil || !missing {
		return err
	}
	return s.meetAll(ctx, r)
}

// meetAll walks until a walk meets as many events as the list has afterwards.
func (s *syncer) meetAll(ctx context.Context, r round) error {
	options := practice.EventListOptions{
		ListOptions: practice.ListOptions{Limit: s.page},
		From:        time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), // without it the list begins now
	}
	if !r.since.IsZero() {
		options.UpdatedSince = r.since.Time()
	}
	for range walks {
		met, err := s.walk(ctx, r, options)
		if errors.Is(err, practice.ErrListChanged) || errors.Is(err, practice.ErrIncomplete) {
			continue
		}
		if err != nil {
			return err
		}
		size, err := s.size(ctx, options)
		if err != nil {
			return err
		}
		if met >= size {
			return nil
		}
	}
	return errUnsettled
}

// walk stores the events of one walk and counts them. A record that cannot be
// read hinders no other, but the round cannot end without it.
func (s *syncer) walk(ctx context.Context, r round, options practice.EventListOptions) (int, error) {
	met := map[string]struct{}{}
	var batch []models.CalendarEvent
	var faults []error
	for event, err := range s.client.Events.All(ctx, options) {
		if _, unreadable := errors.AsType[*practice.RecordError](err); unreadable {
			faults = append(faults, err)
			continue
		}
		if err != nil {
			return 0, err
		}
		if event.ID == "" {
			faults = append(faults, errNoID)
			continue
		}
		met[event.ID] = struct{}{}
		if batch = append(batch, event); len(batch) == s.page {
			if err := s.copy.store(ctx, r, batch); err != nil {
				return 0, err
			}
			batch = batch[:0]
		}
	}
	return len(met), errors.Join(append(faults, s.copy.store(ctx, r, batch))...)
}

// size returns the size of a list.
func (s *syncer) size(ctx context.Context, options practice.EventListOptions) (int, error) {
	options.Limit = 1
	page, err := s.client.Events.List(ctx, options)
	if _, unreadable := errors.AsType[*practice.RecordError](err); err != nil && !unreadable {
		return 0, err
	}
	return page.Size.Or(0), nil
}

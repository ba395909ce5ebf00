package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"
)

func (a *app) configCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "config", Short: "Show, select, change and remove profiles", Args: noSuchCommand,
		Long: "Shows the profiles that practice login created, without secrets. To store profiles in a different directory, set PRACTICE_CONFIG_DIR.",
		RunE: func(*cobra.Command, []string) error { return a.showProfiles() },
	}
	c.AddCommand(
		a.profileCommand("use PROFILE", "Select the profile that later commands use", func(_ context.Context, all *profiles, p *profile, _ string) error {
			all.Current = p.Name
			a.noteOther(p.Name)
			return nil
		}),
		a.profileCommand("read-only PROFILE on|off", "Block or allow writes with a profile", func(_ context.Context, _ *profiles, p *profile, value string) error {
			if value != "on" && value != "off" {
				return misuse{fmt.Errorf("the value must be on or off, not %q", value)}
			}
			p.ReadOnly = value == "on"
			return nil
		}),
		a.profileCommand("remove PROFILE", "Remove a profile and its tokens and secrets", func(ctx context.Context, all *profiles, p *profile, _ string) error {
			delete(all.Profiles, p.Name)
			if all.Current == p.Name {
				all.Current = ""
			}
			return a.forget(ctx, p)
		}),
	)
	return c
}

// profileCommand returns a command that changes one profile.
func (a *app) profileCommand(use, short string, change func(ctx context.Context, all *profiles, p *profile, value string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: takes, PreRunE: a.really,
		ValidArgsFunction: first(a.profileNames),
		RunE: func(c *cobra.Command, args []string) error {
			return a.change(c.Context(), func(all *profiles) error {
				p, err := all.named(args[0])
				if err != nil {
					return err
				}
				return change(c.Context(), all, p, args[len(args)-1])
			})
		},
	}
}

// profileNames returns the names of the profiles, or nil if they cannot be
// read.
func (a *app) profileNames() []string {
	all, err := a.profiles(false)
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(all.Profiles))
}

// showProfiles prints the list of profiles.
func (a *app) showProfiles() error {
	printer, err := a.printer()
	if err != nil {
		return err
	}
	all, err := a.profiles(false)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(all.Profiles)) {
		text, err := json.Marshal(struct {
			Name    string `json:"name"`
			Current bool   `json:"current"`
			*profile
		}{name, name == all.Current, all.Profiles[name]})
		if err != nil {
			return err
		}
		if err := printer.record(text); err != nil {
			return err
		}
	}
	return printer.end(nil)
}

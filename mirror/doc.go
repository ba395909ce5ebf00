// Package mirror keeps a local directory and a matter's folder in sync. Push
// updates the service from the directory, and Pull updates the directory from
// the service. You can repeat either call: it skips finished work and continues
// interrupted work.
//
// # The model
//
// There are three trees: the local tree, the service's tree, and the base,
// which is the last state in which the two sides were alike. The base is stored
// in the manifest, the file ".practice-manifest.jsonl" in the directory, which
// Push and Pull share. Each entry describes a document or folder by its id. The
// entry contains the remote name, folder and version, the local name, and the
// SHA-256 of the local content.
//
// An entry is removed only if its document is gone on both sides, or after a
// decision that is reported: a deletion with Delete, or a new document for a
// locally changed file. Failures, crashes and occupied names do not remove
// entries.
//
// Files are compared by content. Sizes and times are used only to decide
// whether a local file must be read again. If the base does not contain the
// content of a remote version, that content is read once before the version
// counts as alike. There is one exception: a record that a call has just
// created is assumed to have the content that the call sent, as soon as the
// record is listed with that content's size.
//
// A call makes a plan from the three trees before it changes anything. DryRun
// only reports the plan.
//
//   - If content changed on one side, it is transferred to the other.
//   - If two contents differ and were never in sync, [Options.Conflict] is
//     called. This includes a file with the name of a document that is not in
//     the base, for example because the manifest was lost.
//   - With Delete, if a file or folder is gone on one side, it is removed from
//     the other, provided that the two were alike and it has not changed since.
//     [Options.MaxDelete] limits such removals.
//   - If a name or folder changed on one side, it is changed on the other. If
//     both sides changed the same one, or moved two folders into each other,
//     the service takes precedence.
//   - A local file belongs to the document with its content and inode,
//     otherwise to the document at its path, otherwise to a document with its
//     content. If a program saves a file and keeps the previous one as a backup
//     at a new path, the document stays at its path, and the backup is a new
//     file.
//
// Each step checks again that the document and the file are as planned, and is
// recorded when it is done. Changes made in the meantime are kept, and the next
// call takes them into account. A change between the check and the request goes
// unnoticed, because the service has no conditional writes.
package mirror

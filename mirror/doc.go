// Package mirror keeps a local directory and a folder of a matter in sync. Push
// updates the service from the directory, Pull updates the directory from the
// service. Both can be repeated: finished work is skipped, and interrupted work
// continues.
//
// # The model
//
// There are three trees: the local one, the service's, and the base, which is
// the last state in which the two sides were alike. The base is stored in the
// manifest, the file ".practice-manifest.jsonl" in the directory, which Push
// and Pull share. Each entry describes a document or folder by its id: its
// remote name, folder and version, its local name, and the SHA-256 of its local
// content.
//
// An entry is removed only when its document is gone on both sides, or by a
// decision that is reported: a deletion with Delete, or a new document for a
// locally changed file. Failures, crashes and occupied names do not remove
// entries.
//
// Contents are compared, never sizes and times, which only show whether a local
// file has to be read again. If the base does not know the content of a remote
// version, the content is read once before it counts as alike. There is one
// exception: a record that a call has just created is assumed to hold the
// content that the call sent, as soon as it is listed with the size of that
// content.
//
// A plan is computed from the three trees before anything is changed. DryRun
// only reports the plan.
//
//   - A content that changed on one side is transferred to the other.
//   - For two contents that differ and were never in sync, [Options.Conflict]
//     is called. That includes a file with the name of a document that is not
//     in the base, for example because the manifest was lost.
//   - With Delete, a file or folder that is gone on one side is removed from
//     the other one, if the two were alike and it has not changed since.
//     [Options.MaxDelete] limits such removals.
//   - Names and folders that changed on one side are changed on the other. If
//     both sides changed the same one, or moved two folders into each other,
//     the service takes precedence.
//   - A local file belongs to the document with its content and inode,
//     otherwise to the one with its path, otherwise to one with its content. If
//     a program saves a file and keeps the previous one as a backup at a new
//     path, the document stays at its path, and the backup is a new file.
//
// Each step checks again that the document and the file are as planned, and is
// recorded when it is done. A change made meanwhile is kept, and the next call
// takes it into account. A change between this check and the request goes
// unnoticed, because the service has no conditional writes.
package mirror

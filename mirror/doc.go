// Package mirror keeps a local directory and a folder of a matter in sync. Push
// updates the service from the directory, Pull updates the directory from the
// service. Both can be repeated: finished work is skipped, and interrupted work
// continues.
//
// # The model
//
// There are three trees: the local one, the remote one of the service, and the
// base, the last state in which both sides were alike. The base is stored in
// the manifest, the file ".practice-manifest.jsonl" in the directory, which
// Push and Pull share. Each entry describes a document or folder by its id: its
// remote name, folder and version, its local name, and the SHA-256 of its local
// content.
//
// An entry is removed only when its document is gone on both sides, or by a
// decision that is reported: Delete, or a locally changed file that is created
// again. Failures, crashes and occupied names do not remove entries.
//
// Contents are compared, never sizes and times. Those only show whether a local
// file has to be read again. If the base does not know a remote content, it is
// read once before it counts as alike. There is one exception: a record that a
// call has just created is assumed to hold the content that the call sent, once
// it is listed with its size.
//
// A plan is computed from the three trees before anything is changed. DryRun
// reports it.
//
//   - A content that changed on one side is transferred to the other.
//   - For contents that differ and have not been alike before,
//     [Options.Conflict] is called. That includes a file with the name of a
//     document that is not in the base, for example because the manifest was
//     lost.
//   - With Delete, a file or folder that is gone on one side is removed from
//     the other one, if it was alike and has not changed since.
//     [Options.MaxDelete] limits that.
//   - Names and folders that changed on one side are changed on the other. If
//     both sides changed the same one, or moved two folders into each other,
//     the service takes precedence.
//   - A local file belongs to the document with its content and inode,
//     otherwise to the one with its path, otherwise to one with its content. If
//     a program saves a file and keeps the former one as a backup at a new
//     path, the document stays at its path, and the backup is a new file.
//
// Each step checks again that the document and the file are as planned, and is
// recorded when it is done. A change made meanwhile is kept, and the next call
// plans with it. A change between that check and the request goes unnoticed,
// because the service has no conditional writes.
package mirror

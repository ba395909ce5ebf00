// Package mirror keeps a local directory and a folder of a matter alike. Push
// makes the service follow the directory, Pull makes the directory follow the
// service. Both can be repeated: what is done is skipped, what was interrupted
// goes on.
//
// # The model
//
// There are three trees: here, the local one; there, that of the service; and
// the base, what was last alike on both sides. The base lies in the manifest,
// the file ".practice-manifest.jsonl" in the directory, which both directions
// share. An entry of it is a document or folder by its id, with its name and
// folder there, its name here, its version there, and the SHA-256 of its
// content here.
//
// An entry ends only when its document is gone on both sides, or when a
// decision that is reported lets it go: Delete, or a file that was changed here
// and is made anew. A failure, a kill, or something in the way ends none.
//
// Contents are compared, never sizes and times. Those only say whether a local
// file has to be read again. Where the base does not know a content there, it
// is read once before it counts as alike. There is one exception: the record
// that a call has just made is taken for what the call sent when it is listed
// with its size.
//
// From the three trees follows a plan, before anything is changed. DryRun
// reports it.
//
//   - A content that changed on one side goes to the other.
//   - Where both have contents that have not been alike, [Options.Conflict] is
//     asked. That includes a file of the name of a document that nobody has
//     noted, also when the manifest is lost or torn.
//   - With Delete, a file or folder that is gone on one side is removed from
//     the other one if it was alike and has no other content since.
//     [Options.MaxDelete] is a brake.
//   - Names and folders that changed on one side are changed on the other. When
//     both have changed the same one, the service has its way. So it has when
//     two folders were moved into each other.
//   - A local file is the document whose content and inode it has, else that of
//     its path, else one of the same content.
//
// Each step is noted when it is done, and looks once more whether the document
// and the file are as they were planned with. A change that somebody made
// meanwhile stays, and the next call plans with it. A file that somebody moves,
// deletes or stores between that last look and the request is seen by nobody:
// the service knows no conditional writes.
package mirror

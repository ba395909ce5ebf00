package models

// File is a document of a matter. Specification, File.
type File struct {
	Hypermedia
	// ID identifies the file, a UUID. Empty when absent. Specification, File.
	ID string `json:"id"`
	// VersionID identifies the version of the content, a UUID. Empty when absent. Specification, File.
	VersionID string `json:"versionId"`
	// Folder links to the folder that holds the file. The zero Link in the root folder. Specification, File.
	Folder Link `json:"folder"`
	// Matter links to the matter. The zero Link when absent. Specification, File.
	Matter Link `json:"matter"`
	// Name is the name without the extension. Empty when absent. Specification, File.
	Name string `json:"name"`
	// FileExtension is the extension with its leading dot. Empty when absent. Specification, File.
	FileExtension string `json:"fileExtension"`
	// OwnerID is the UUID of the owner. Empty when absent. Specification, File.
	OwnerID string `json:"ownerId"`
	// To holds the recipients of a file that is an e-mail. Empty for other files. Specification, File.
	To string `json:"to"`
	// From holds the sender of a file that is an e-mail. Empty for other files. Specification, File.
	From string `json:"from"`
	// DateCreated is when the file was created. Zero when absent. Specification, File.
	DateCreated DateTime `json:"dateCreated"`
	// DateModified is when the file last changed. Zero when absent. Specification, File.
	DateModified DateTime `json:"dateModified"`
	// SizeBytes is the length of the content in bytes. May be absent. Specification, File.
	SizeBytes Opt[int64] `json:"sizeBytes"`
	// DownloadInfo links to the operation that gives the download address. The zero Link when absent.
	// Specification, File.
	DownloadInfo Link `json:"downloadInfo"`
	// AdditionalData holds free-form members, among them source, pageCount and isSigned. Zero when absent.
	// Specification, File.
	AdditionalData Object `json:"additionalData"`
	// IsFavorite tells whether the file is marked as a favourite. May be absent. Specification, File.
	IsFavorite Opt[bool] `json:"isFavorite"`
	// IsUploaded tells whether the content has arrived. May be absent. Specification, File.
	IsUploaded Opt[bool] `json:"isUploaded"`
	// IsCancelled tells whether the upload was cancelled. May be absent. Specification, File.
	IsCancelled Opt[bool] `json:"isCancelled"`
	// IsDuplicate tells whether the file repeats another one. May be absent. Specification, File.
	IsDuplicate Opt[bool] `json:"isDuplicate"`
	// IsDeleted tells whether the file is deleted. May be absent. Specification, File.
	IsDeleted Opt[bool] `json:"isDeleted"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// FileCreate is the body that announces a file; the answer says where to send its content.
// Specification, Folders and files of a matter.
//
//recordgen:body
type FileCreate struct {
	// FileName is the name with its extension, 1 to 256 characters. Required.
	// Specification, Folders and files of a matter; the limit is from the published interface.
	FileName string `json:"fileName"`
	// FolderID is the UUID of the folder to put it in. Empty means the root of the matter.
	// Specification, Folders and files of a matter.
	FolderID string `json:"folderId,omitzero"`
	// DateCreated is when the file was created. Zero means the time of the request.
	// Specification, Folders and files of a matter.
	DateCreated DateTime `json:"dateCreated,omitzero"`
	// DateModified is when the file last changed. Left out when zero. Published interface, not in the specification.
	DateModified DateTime `json:"dateModified,omitzero"`
	// UserID is the UUID of the owner; only for server-to-server use. Left out when empty. Published interface,
	// not in the specification.
	UserID string `json:"userId,omitzero"`
	// FolderPath is the path of the folder to put it in and wins over FolderID. Left out when empty. Published
	// interface, not in the specification.
	FolderPath string `json:"folderPath,omitzero"`
	// FileAdditionalData becomes the additional data of the file. Left out when zero. Published interface, not in
	// the specification.
	FileAdditionalData Object `json:"fileAdditionalData,omitzero"`
}

// UploadInfo says where the content of a file is sent. Specification, Folders and files of a matter.
type UploadInfo struct {
	// FileID identifies the file, a UUID. Empty when absent. Specification, Folders and files of a matter.
	FileID string `json:"fileId"`
	// UploadURL is the pre-signed address that takes the content in a PUT. Whoever holds it can write the file,
	// so it is a secret. Zero when absent. Specification, Folders and files of a matter.
	UploadURL Secret `json:"uploadUrl"`
	// Expiry is when UploadURL stops working. Zero when absent. Specification, Folders and files of a matter.
	Expiry DateTime `json:"expiry"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

// DownloadInfo says where the content of a file is read. Specification, Folders and files of a matter.
type DownloadInfo struct {
	// FileID identifies the file, a UUID. Empty when absent. Specification, Folders and files of a matter.
	FileID string `json:"fileId"`
	// DownloadURL is the pre-signed address that gives the content. Whoever holds it can read the file, so it is
	// a secret. Zero when absent. Specification, Folders and files of a matter.
	DownloadURL Secret `json:"downloadUrl"`
	// Expiry is when DownloadURL stops working. Zero when absent. Specification, Folders and files of a matter.
	Expiry DateTime `json:"expiry"`
	// SizeBytes is the length of the content in bytes. May be absent.
	// Specification, Folders and files of a matter.
	SizeBytes Opt[int64] `json:"sizeBytes"`
	// Name is the name without the extension. Empty when absent. Published interface, not in the specification.
	Name string `json:"name"`
	// FileExtension is the extension with its leading dot. Empty when absent. Published interface, not in the
	// specification.
	FileExtension string `json:"fileExtension"`
	// Extra holds members that have no field here. Specification, Common shapes.
	Extra Extra `json:"-"`
}

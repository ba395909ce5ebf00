#!/usr/bin/env bash
# Generates the peers from ../api/openapi.yaml, with the generators that go.mod
# pins: only the operations that are measured.
set -euo pipefail
cd "$(dirname "$0")"
export GOWORK=off
peers=internal/peers

go tool oapi-codegen -config $peers/oapi/config.yaml ../api/openapi.yaml

# ogen gives up on two media types of one error and on answers that share a
# header, so it gets the document without them.
document=$(mktemp --suffix=.yaml)
trap 'rm -f "$document"' EXIT
sed -e '/application\/problem+json:/,+2d' -e '/^ *headers:$/,+3d' ../api/openapi.yaml >"$document"
rm -f $peers/ogen/*.go
go tool ogen -loglevel error -config $peers/ogen/config.yaml -target $peers/ogen -package ogen "$document"

rm -f $peers/easy/*.go
sed 's/^\/\/ Package plain/\/\/ Package easy/; s/^package plain/package easy/' $peers/plain/types.go >$peers/easy/types.go
go tool easyjson -all -no_std_marshalers -output_filename $peers/easy/zz_types.go $peers/easy/types.go

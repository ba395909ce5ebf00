#!/usr/bin/env bash
# Generates the peer of ogen from its own description of the texts that are measured,
# with the generator that go.mod pins.
set -euo pipefail
cd "$(dirname "$0")"
export GOWORK=off
ogen=internal/peers/ogen
rm -f $ogen/*.go
go tool ogen -loglevel error -config $ogen/config.yaml -target $ogen -package ogen $ogen/api.yaml

#!/bin/sh
# Send the measurements of a build to Plateau, and fail on a regression that was not reverted.
#
#   sh plateau.sh FILE...
#
# Needs `pip install "plateau-perf[client]"`, curl, and PLATEAU_URL (home page of the
# installation), PLATEAU_TOKEN (scopes import, run and read), BUILD (name of this build) and
# DATASET (default: nightly). Writes trend.xml (JUnit) and trend.md.
set -eu
dataset="${DATASET:-nightly}"

# send the measurements, let a method say where each series is steady, and wait
plateau push "$@" --to "$PLATEAU_URL" --dataset "$dataset" --build "$BUILD" --label "$BUILD" --run plateau
# how every benchmark moved, for the build server and as a comment
trend="$PLATEAU_URL/api/v1/datasets/$dataset/trend"
curl --fail --silent --show-error -H "Authorization: Bearer $PLATEAU_TOKEN" "$trend?format=junit" --output trend.xml
curl --fail --silent --show-error -H "Authorization: Bearer $PLATEAU_TOKEN" "$trend?format=markdown" --output trend.md
# a regression of the last week that was not reverted ends the job; so does a night without a result
! grep -Eq "<(failure|error)" trend.xml

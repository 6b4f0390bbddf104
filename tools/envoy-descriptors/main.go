// Command envoy-descriptors writes Envoy Gateway's extension service and the part of Envoy's API that Lifeline reads, as one gzipped
// google.protobuf.FileDescriptorSet.
//
//	go run . ../../packages/envoy-api/data/envoy.binpb.gz
//
// Files come after the files that they import, otherwise by path. Of the annotations only protoc-gen-validate's rules stay: Envoy Gateway
// refuses a whole snapshot for one resource that breaks them, so tests hold answers against them.
package main

import (
	"bytes"
	"compress/gzip"
	"log"
	"os"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// forAnnotations has where files stand that are imported for annotations and for nothing else.
var forAnnotations = []string{"udpa/annotations/", "xds/annotations/", "envoy/annotations/"}

func isForAnnotations(path string) bool {
	return slices.ContainsFunc(forAnnotations, func(prefix string) bool { return strings.HasPrefix(path, prefix) })
}

// appendFile appends a file to set, after what it imports.
func appendFile(set *descriptorpb.FileDescriptorSet, file protoreflect.FileDescriptor, seen map[string]bool) {
	if seen[file.Path()] || isForAnnotations(file.Path()) {
		return
	}
	seen[file.Path()] = true
	imports := file.Imports()
	for i := range imports.Len() {
		appendFile(set, imports.Get(i).FileDescriptor, seen)
	}
	described := protodesc.ToFileDescriptorProto(file)
	strip(described)
	set.File = append(set.File, described)
}

// strip takes away comments, annotations, and the imports that only those need.
func strip(file *descriptorpb.FileDescriptorProto) {
	file.SourceCodeInfo = nil
	file.Options = nil
	file.PublicDependency, file.WeakDependency = nil, nil
	file.Dependency = slices.DeleteFunc(file.Dependency, isForAnnotations)
	stripOptions(file.ProtoReflect())
}

// stripOptions clears every extension below a message but validate's, and the options that then say nothing.
func stripOptions(message protoreflect.Message) {
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.IsExtension():
			if field.FullName().Parent() != "validate" {
				message.Clear(field)
			}
		case field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				stripOptions(value.List().Get(i).Message())
			}
		default:
			stripOptions(value.Message())
			if field.Name() == "options" && proto.Size(value.Message().Interface()) == 0 {
				message.Clear(field)
			}
		}
		return true
	})
	message.SetUnknown(nil)
}

// packed is gzip without a name and a time in its header: the same input gives the same bytes.
func packed(raw []byte) ([]byte, error) {
	var out bytes.Buffer
	writer, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(raw); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: envoy-descriptors FILE")
	}
	var files []protoreflect.FileDescriptor
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		files = append(files, file)
		return true
	})
	slices.SortFunc(files, func(a, b protoreflect.FileDescriptor) int { return strings.Compare(a.Path(), b.Path()) })

	set := &descriptorpb.FileDescriptorSet{}
	seen := map[string]bool{}
	for _, file := range files {
		appendFile(set, file, seen)
	}
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(set)
	if err != nil {
		log.Fatal(err)
	}
	out, err := packed(raw)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], out, 0o644); err != nil {
		log.Fatal(err)
	}
	log.Printf("%d files, %d bytes, %d packed", len(set.File), len(raw), len(out))
}

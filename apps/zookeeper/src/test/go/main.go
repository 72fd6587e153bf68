// Uses a service with ZooKeeper's protocol through the client that most Go programs use. It prints
// one line for each step and ends with status 1 at the first surprise.
package main

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/go-zookeeper/zk"
)

const patience = 60 * time.Second

func main() {
	connection := connect()
	defer connection.Close()
	nodes(connection)
	watches(connection)
	multi(connection)
	accessControl(connection)
	ephemerals(connection)
	locks(connection)
}

func connect() *zk.Conn {
	connection, _, err := zk.Connect([]string{os.Args[1]}, patience, zk.WithLogInfo(false))
	check(err == nil, "connect", err)
	return connection
}

func nodes(connection *zk.Conn) {
	path, err := connection.Create("/go", []byte("data"), 0, zk.WorldACL(zk.PermAll))
	check(err == nil && path == "/go", "create", path, err)
	_, err = connection.Create("/go", nil, 0, zk.WorldACL(zk.PermAll))
	check(err == zk.ErrNodeExists, "create again", err)
	path, err = connection.Create("/go/s", nil, zk.FlagSequence, zk.WorldACL(zk.PermAll))
	check(err == nil && path == "/go/s0000000000", "create sequential", path, err)
	data, stat, err := connection.Get("/go")
	check(err == nil && bytes.Equal(data, []byte("data")) && stat.NumChildren == 1, "get", data, err)
	_, err = connection.Set("/go", []byte("changed"), 7)
	check(err == zk.ErrBadVersion, "set with a wrong version", err)
	stat, err = connection.Set("/go", []byte("changed"), 0)
	check(err == nil && stat.Version == 1, "set", stat, err)
	children, _, err := connection.Children("/go")
	check(err == nil && len(children) == 1 && children[0] == "s0000000000", "children", children, err)
	err = connection.Delete("/go/s0000000000", -1)
	check(err == nil, "delete", err)
	_, err = connection.Sync("/go")
	check(err == nil, "sync", err)
}

func watches(connection *zk.Conn) {
	_, _, created, err := connection.ExistsW("/go/new")
	check(err == nil, "exists with a watch", err)
	_, _, children, err := connection.ChildrenW("/go")
	check(err == nil, "children with a watch", err)
	_, err = connection.Create("/go/new", nil, 0, zk.WorldACL(zk.PermAll))
	check(err == nil, "create for watches", err)
	await(created, zk.EventNodeCreated, "/go/new")
	await(children, zk.EventNodeChildrenChanged, "/go")
}

func await(events <-chan zk.Event, kind zk.EventType, path string) {
	select {
	case event := <-events:
		check(event.Type == kind && event.Path == path, "event", event)
	case <-time.After(patience):
		check(false, "no event", kind, path)
	}
}

func multi(connection *zk.Conn) {
	acl := zk.WorldACL(zk.PermAll)
	_, err := connection.Multi(
		&zk.CreateRequest{Path: "/go/multi", Acl: acl},
		&zk.CheckVersionRequest{Path: "/go", Version: 99})
	check(err == zk.ErrBadVersion, "multi that fails", err)
	exists, _, err := connection.Exists("/go/multi")
	check(err == nil && !exists, "exists after it", exists, err)
	results, err := connection.Multi(
		&zk.CreateRequest{Path: "/go/multi", Acl: acl},
		&zk.SetDataRequest{Path: "/go/multi", Data: []byte("1"), Version: 0},
		&zk.DeleteRequest{Path: "/go/multi", Version: 1})
	check(err == nil && len(results) == 3, "multi", results, err)
}

func accessControl(connection *zk.Conn) {
	err := connection.AddAuth("digest", []byte("alice:secret"))
	check(err == nil, "addAuth", err)
	acl := zk.DigestACL(zk.PermAll, "alice", "secret")
	_, err = connection.Create("/go/private", []byte("x"), 0, acl)
	check(err == nil, "create a private node", err)
	_, _, err = connection.Get("/go/private")
	check(err == nil, "get a private node", err)
	other := connect()
	defer other.Close()
	_, _, err = other.Get("/go/private")
	check(err == zk.ErrNoAuth, "get a private node of another user", err)
}

func ephemerals(connection *zk.Conn) {
	other := connect()
	_, err := other.Create("/go/ephemeral", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
	check(err == nil, "create an ephemeral node", err)
	exists, _, deleted, err := connection.ExistsW("/go/ephemeral")
	check(err == nil && exists, "exists for another session", exists, err)
	other.Close()
	await(deleted, zk.EventNodeDeleted, "/go/ephemeral")
}

func locks(connection *zk.Conn) {
	first := zk.NewLock(connection, "/go/lock", zk.WorldACL(zk.PermAll))
	check(first.Lock() == nil, "lock")
	other := connect()
	defer other.Close()
	locked := make(chan error)
	go func() {
		second := zk.NewLock(other, "/go/lock", zk.WorldACL(zk.PermAll))
		locked <- second.Lock()
	}()
	check(first.Unlock() == nil, "unlock")
	select {
	case err := <-locked:
		check(err == nil, "lock of another session", err)
	case <-time.After(patience):
		check(false, "no lock for another session")
	}
}

func check(holds bool, step string, details ...any) {
	if !holds {
		fmt.Println("FAILED", step, details)
		os.Exit(1)
	}
	fmt.Println("ok", step)
}

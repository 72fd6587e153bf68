package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.Request.SetAttributes;
import corfu.silver.AttributeChange;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;

/** Changes of attributes. */
final class AttributeRequests {

  private static final int GROUP_EXECUTES = 0x8;

  private AttributeRequests() {}

  static Result<Done> set(
      Silver silver, SilverFileSystem files, NodeId node, SetAttributes request, MountedData data) {
    Caller caller = Callers.of(silver, request.header());
    AttributeChange change = change(request, caller);
    Result<Done> done =
        request.has(SetAttributes.SIZE)
            ? data.resize(files, node, request.size(), caller)
            : Result.done();
    if (change.modificationTime().isPresent()) {
      data.settle(node); // a write that waits would change the time again
    }
    if (request.has(SetAttributes.KILL_PRIVILEGES)) {
      done = Failures.then(done, resized -> withoutPrivileges(files, node, caller));
    }
    return change.isNone()
        ? done
        : Failures.then(done, before -> files.setAttributes(node, change, caller));
  }

  private static AttributeChange change(SetAttributes request, Caller caller) {
    AttributeChange change = AttributeChange.NONE;
    if (request.has(SetAttributes.MODE)) {
      change = change.withPermissions(request.mode() & FileMode.PERMISSIONS);
    }
    if (request.has(SetAttributes.UID)) {
      change = change.withUid(request.uid());
    }
    if (request.has(SetAttributes.GID)) {
      change = change.withGid(request.gid());
    }
    if (request.has(SetAttributes.ACCESS_TIME)) {
      boolean isNow = request.has(SetAttributes.ACCESS_TIME_NOW);
      change = change.withAccessTime(isNow ? caller.time() : request.accessTime());
    }
    if (request.has(SetAttributes.MODIFICATION_TIME)) {
      boolean isNow = request.has(SetAttributes.MODIFICATION_TIME_NOW);
      change = change.withModificationTime(isNow ? caller.time() : request.modificationTime());
    }
    return change;
  }

  /** Clears the set-user-id bit, and set-group-id if the group may execute. */
  static Result<Done> withoutPrivileges(SilverFileSystem files, NodeId node, Caller caller) {
    return Failures.then(files.status(node), status -> withoutPrivileges(files, status, caller));
  }

  private static Result<Done> withoutPrivileges(
      SilverFileSystem files, NodeStatus status, Caller caller) {
    int before = status.mode() & FileMode.PERMISSIONS;
    int after = before & ~FileMode.SET_USER_ID;
    if ((before & GROUP_EXECUTES) != 0) {
      after &= ~FileMode.SET_GROUP_ID;
    }
    return after == before
        ? Result.done()
        : files.setAttributes(status.node(), AttributeChange.NONE.withPermissions(after), caller);
  }
}

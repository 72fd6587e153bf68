package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Request;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.acl.AccessControlList;
import corfu.silver.acl.AclKind;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Optional;

/** Requests on extended attributes. Thread-safe. */
final class ExtendedAttributeRequests {

  private static final int CREATE = 1;
  private static final int REPLACE = 2;

  private final Silver silver;
  private final NodeTable nodes;

  ExtendedAttributeRequests(Silver silver, NodeTable nodes) {
    this.silver = silver;
    this.nodes = nodes;
  }

  private Result<Map<FileName, byte[]>> all(long number) {
    return Failures.caught(
        nodes,
        number,
        () ->
            nodes.get(number).orElse(MountedNode.Control.AT)
                    instanceof MountedNode.Stored(SilverFileSystem files, NodeId node)
                ? files.extendedAttributes(node)
                : Result.of(Map.of()));
  }

  Result<byte[]> get(Request.GetExtendedAttribute request) {
    return Failures.then(
        all(request.header().node()),
        attributes -> {
          byte[] value = attributes.get(request.name());
          return value == null ? Result.failed(Errno.ENODATA) : Result.of(value);
        });
  }

  Result<byte[]> list(Request.ListExtendedAttributes request) {
    return Failures.then(
        all(request.header().node()),
        attributes -> {
          var names = new ByteArrayOutputStream();
          attributes.keySet().stream()
              .sorted()
              .forEach(
                  name -> {
                    names.writeBytes(name.bytes());
                    names.write(0);
                  });
          return Result.of(names.toByteArray());
        });
  }

  Result<Done> set(SilverFileSystem files, NodeId node, Request.SetExtendedAttribute request) {
    byte[] value = request.value().toArray(ValueLayout.JAVA_BYTE);
    Caller caller = Callers.of(silver, request.header());
    Optional<AclKind> kind = AclKind.of(request.name());
    if (kind.isPresent()) {
      int clearedBits = request.clearsSetGroupId() ? FileMode.SET_GROUP_ID : 0;
      return AccessControlList.decode(value)
          .map(list -> files.setAccessControlList(node, kind.get(), list, clearedBits, caller))
          .orElse(Result.failed(Errno.EINVAL));
    }
    return files.setExtendedAttribute(
        node,
        request.name(),
        value,
        (request.flags() & CREATE) != 0,
        (request.flags() & REPLACE) != 0,
        caller);
  }

  Result<Done> remove(
      SilverFileSystem files, NodeId node, Request.RemoveExtendedAttribute request) {
    return files.removeExtendedAttribute(
        node, request.name(), Callers.of(silver, request.header()));
  }
}

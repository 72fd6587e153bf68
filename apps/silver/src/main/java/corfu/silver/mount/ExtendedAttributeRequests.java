package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Request;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.Map;

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
    return files.setExtendedAttribute(
        node,
        request.name(),
        request.value().toArray(ValueLayout.JAVA_BYTE),
        (request.flags() & CREATE) != 0,
        (request.flags() & REPLACE) != 0,
        Callers.of(silver, request.header()));
  }

  Result<Done> remove(
      SilverFileSystem files, NodeId node, Request.RemoveExtendedAttribute request) {
    return files.removeExtendedAttribute(
        node, request.name(), Callers.of(silver, request.header()));
  }
}

package corfu.silver.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.DirectoryEntries;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.OpenFile;
import corfu.fuse.protocol.Request;
import corfu.silver.DirectoryListing;
import corfu.silver.NodeId;
import corfu.silver.SilverFileSystem;
import java.util.Optional;

/** Requests on open directories. Thread-safe. */
final class DirectoryRequests {

  private static final FileName SELF = FileName.of(".");
  private static final FileName PARENT = FileName.of("..");
  private static final long BEHIND_SELF = 1;
  private static final long BEHIND_PARENT = 2;

  private final NodeTable nodes;
  private final OpenDirectories open = new OpenDirectories();

  DirectoryRequests(NodeTable nodes) {
    this.nodes = nodes;
  }

  Result<OpenFile> open() {
    return Result.of(new OpenFile(open.open(), 0));
  }

  Result<Done> close(Request.ReleaseDirectory request) {
    open.close(request.handle());
    return Result.done();
  }

  Result<Done> read(Request.ReadDirectory request, DirectoryEntries entries) {
    Optional<MountedNode> node = nodes.get(request.header().node());
    if (node.isEmpty()) {
      return Failures.stale();
    }
    return switch (node.get()) {
      case MountedNode.Stored(SilverFileSystem files, NodeId directory) ->
          read(files, directory, request, entries);
      case MountedNode.Control directory -> read(directory, request, entries);
    };
  }

  private Result<Done> read(
      SilverFileSystem files,
      NodeId directory,
      Request.ReadDirectory request,
      DirectoryEntries entries) {
    Optional<DirectoryListing> kept =
        request.offset() == 0 ? Optional.empty() : open.listing(request.handle());
    Result<DirectoryListing> listing =
        kept.isPresent() ? Result.of(kept.get()) : files.list(directory);
    return Failures.then(
        listing,
        names -> {
          open.keep(request.handle(), names);
          add(files, directory, names, request.offset(), entries);
          return Result.done();
        });
  }

  private static void add(
      SilverFileSystem files,
      NodeId directory,
      DirectoryListing names,
      long offset,
      DirectoryEntries entries) {
    long version = files.version().orElse(-1);
    long self = AttributeReplies.mixed(directory.inodeNumber(), version);
    long parent = AttributeReplies.mixed(names.parent().inodeNumber(), version);
    boolean fits =
        offset >= BEHIND_SELF || entries.add(SELF, self, FileMode.DIRECTORY, BEHIND_SELF);
    fits =
        fits
            && (offset >= BEHIND_PARENT
                || entries.add(PARENT, parent, FileMode.DIRECTORY, BEHIND_PARENT));
    if (fits) {
      names.forEachBehind(
          Math.max(offset, DirectoryListing.FIRST_OFFSET),
          name ->
              entries.add(
                  name.name(),
                  AttributeReplies.mixed(name.node().inodeNumber(), version),
                  name.type(),
                  name.offset()));
    }
  }

  private static Result<Done> read(
      MountedNode.Control directory, Request.ReadDirectory request, DirectoryEntries entries) {
    long at = 0;
    for (ControlFiles.Listed listed : ControlFiles.list(directory)) {
      at++;
      int mode = listed.node() == MountedNode.Control.AT ? FileMode.DIRECTORY : FileMode.REGULAR;
      long number = AttributeReplies.mixed(listed.node().hashCode(), 0);
      if (at > request.offset() && !entries.add(listed.name(), number, mode, at)) {
        break;
      }
    }
    return Result.done();
  }
}

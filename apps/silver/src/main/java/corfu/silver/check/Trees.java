package corfu.silver.check;

import corfu.fuse.Result;
import corfu.silver.DirectoryListing;
import corfu.silver.NodeId;
import corfu.silver.SilverFileSystem;
import java.util.List;

/** The steps of walks through trees. */
final class Trees {

  private Trees() {}

  /** Returns the names of a directory in their order, or none if the node is no directory. */
  static List<DirectoryListing.Name> names(SilverFileSystem files, NodeId directory) {
    return files.list(directory) instanceof Result.Success<DirectoryListing>(var listing)
        ? listing.all().stream().sorted((one, other) -> one.name().compareTo(other.name())).toList()
        : List.of();
  }

  static String path(String parent, DirectoryListing.Name name) {
    return parent.isEmpty() ? name.name().toString() : parent + "/" + name.name();
  }
}

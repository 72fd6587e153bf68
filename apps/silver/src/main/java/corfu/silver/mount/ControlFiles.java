package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.VersionForgottenException;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files and directories below {@code .silver}. Thread-safe. */
final class ControlFiles {

  private static final Logger LOG = LoggerFactory.getLogger(ControlFiles.class);

  /** The name in the root. Directory listings do not show it. */
  static final FileName NAME = FileName.of(".silver");

  private static final FileName VERSION = FileName.of("version");
  private static final FileName STATS = FileName.of("stats");
  private static final FileName AT = FileName.of("at");

  private final Silver silver;
  private final SilverFileSystem files;
  private final Supplier<String> stats;

  ControlFiles(Silver silver, SilverFileSystem files, Supplier<String> stats) {
    this.silver = silver;
    this.files = files;
    this.stats = stats;
  }

  /** A name in a directory of the mount. */
  record Listed(FileName name, MountedNode node) {}

  /** Returns the names of a directory. Those of the versions are too many to list. */
  static List<Listed> list(MountedNode.Control directory) {
    return directory == MountedNode.Control.DIRECTORY
        ? List.of(
            new Listed(AT, MountedNode.Control.AT),
            new Listed(STATS, MountedNode.Control.STATS),
            new Listed(VERSION, MountedNode.Control.VERSION))
        : List.of();
  }

  /** Finds a name. */
  Result<MountedNode> lookUp(MountedNode.Control directory, FileName name) {
    return switch (directory) {
      case DIRECTORY ->
          list(directory).stream()
              .filter(listed -> listed.name().equals(name))
              .findFirst()
              .map(listed -> Result.of(listed.node()))
              .orElse(Result.failed(Errno.ENOENT));
      case AT -> atVersion(name);
      case VERSION, STATS -> Result.failed(Errno.ENOTDIR);
    };
  }

  private Result<MountedNode> atVersion(FileName name) {
    try {
      Address version = new Address(Long.parseUnsignedLong(name.toString()));
      return version.value() < 0 || version.compareTo(silver.version()) > 0
          ? Result.failed(Errno.ENOENT)
          : Result.of(new MountedNode.Stored(files.at(version), files.root()));
    } catch (NumberFormatException notAVersion) {
      return Result.failed(Errno.ENOENT);
    } catch (VersionForgottenException forgotten) {
      LOG.warn("Version {} fails with ENOENT: {}", name, forgotten.getMessage());
      return Result.failed(Errno.ENOENT);
    }
  }

  /** Returns the bytes of a file. */
  byte[] content(MountedNode.Control file) {
    return switch (file) {
      case VERSION -> (silver.version().value() + "\n").getBytes(UTF_8);
      case STATS -> stats.get().getBytes(UTF_8);
      case DIRECTORY, AT -> new byte[0];
    };
  }
}

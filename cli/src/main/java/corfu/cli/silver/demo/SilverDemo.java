package corfu.cli.silver.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.mount.MountException;
import corfu.fuse.protocol.FileName;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.silver.Caller;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.check.TreeCheck;
import corfu.silver.mount.SilverMount;
import corfu.silver.ship.Shipped;
import corfu.silver.ship.TreeReader;
import corfu.silver.ship.TreeWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs the demo. Not thread-safe. */
final class SilverDemo implements AutoCloseable {

  private static final int SERVERS = 3;
  private static final String NAME = "demo";
  private static final String TREE = "tree";

  private final Path source;
  private final Path directory;
  private final Consumer<String> news;
  private final EmbeddedCluster cluster;
  private final Corfu corfu;
  private final Silver silver; // the mount's
  private final Silver commands; // for all that commands do beside a mount

  /**
   * @param source the directory that is copied
   * @param directory an empty directory for the demo's files
   * @param news receives lines about the progress
   */
  SilverDemo(Path source, Path directory, Consumer<String> news) {
    this.source = source;
    this.directory = directory;
    this.news = news;
    this.cluster =
        EmbeddedCluster.builder()
            .nodes(SERVERS)
            .replicas(SERVERS)
            .directory(directory.resolve("cluster"))
            .start();
    this.corfu = cluster.connect();
    this.silver = Silver.over(corfu);
    this.commands = Silver.over(cluster.connect());
  }

  void run() throws IOException {
    news.accept("%d servers, %d durable copies of each entry".formatted(SERVERS, SERVERS));
    SilverFileSystem files = valueOf(silver.create(NAME, caller()), "create " + NAME);
    Path point = Files.createDirectory(directory.resolve("mount"));
    try (SilverMount mount = mount(silver, files, point)) {
      news.accept("mounted %s on %s".formatted(NAME, point));
      tour(files, point);
      mount.unmount();
    }
    news.accept("all of it held");
  }

  private SilverMount mount(Silver client, SilverFileSystem files, Path point)
      throws MountException {
    return SilverMount.mount(cluster.world(), client, files, NAME, point);
  }

  private Caller caller() {
    return silver.caller(0, 0);
  }

  private void tour(SilverFileSystem files, Path point) throws IOException {
    Path tree = point.resolve(TREE);
    long begin = System.nanoTime();
    LocalTree.Size size = LocalTree.copy(source, tree);
    news.accept(
        "copied %,d files with %,d bytes from %s in %d ms"
            .formatted(size.files(), size.bytes(), source, since(begin).toMillis()));
    check(LocalTree.areEqual(source, tree), "the copy differs from " + source);

    String version = Files.readString(point.resolve(".silver/version"), UTF_8).strip();
    news.accept("this is version " + version);
    LocalTree.remove(tree);
    Files.writeString(Files.createDirectory(tree).resolve("new"), "new", UTF_8);
    news.accept("removed all of it, and wrote a new file");
    Path past = point.resolve(".silver/at").resolve(version).resolve(TREE);
    check(LocalTree.areEqual(source, past), "version " + version + " has changed");
    news.accept("version %s still has everything".formatted(version));

    Address then = new Address(Long.parseLong(version));
    clones(then);
    takeBack(files, then, point);
    ship(then);
    fsck(NAME);
    fsck("clone");
  }

  private void clones(Address version) throws IOException {
    long begin = System.nanoTime();
    SilverFileSystem clone =
        valueOf(commands.clone(NAME, Optional.of(version), "clone", caller()), "clone");
    news.accept(
        "cloned version %d in %.1f ms".formatted(version.value(), since(begin).toNanos() / 1e6));
    Path point = Files.createDirectory(directory.resolve("clone"));
    try (Silver client = Silver.over(corfu);
        SilverMount mount = mount(client, clone, point)) {
      check(LocalTree.areEqual(source, point.resolve(TREE)), "the clone differs from its source");
      Files.writeString(point.resolve(TREE).resolve("of the clone"), "clone", UTF_8);
      mount.unmount();
    }
    news.accept("the clone has everything, and got a file of its own");
  }

  private void takeBack(SilverFileSystem files, Address version, Path point) throws IOException {
    SilverFileSystem past = files.at(version);
    var tree = valueOf(past.lookUp(past.root(), FileName.of(TREE)), "look up " + TREE).node();
    var unused =
        valueOf(
            files.cloneFrom(past, tree, files.root(), FileName.of("taken back"), caller()),
            "take back " + TREE);
    check(LocalTree.areEqual(source, point.resolve("taken back")), "what came back differs");
    check(!Files.exists(point.resolve(TREE).resolve("of the clone")), "the clone's file is here");
    news.accept("took the removed files back; the clone's file is only in the clone");
  }

  private void ship(Address version) throws IOException {
    Path archive = directory.resolve("archive.tar.gz");
    SilverFileSystem past = valueOf(commands.openAt(NAME, version), "open version");
    try (OutputStream out = Files.newOutputStream(archive)) {
      Shipped shipped = TreeWriter.write(past, out, names -> {});
      news.accept(
          "shipped version %d to a file: %,d names, %,d bytes"
              .formatted(version.value(), shipped.names(), shipped.bytes()));
    }
    SilverFileSystem back = valueOf(commands.create("back", caller()), "create back");
    try (InputStream in = Files.newInputStream(archive)) {
      Shipped received = TreeReader.read(in, back, caller(), names -> {});
      news.accept("received it as another file system: %,d names".formatted(received.names()));
    }
    fsck("back");
  }

  private void fsck(String name) throws IOException {
    long[] problems = {0};
    SilverFileSystem version = valueOf(commands.openAt(name, commands.version()), "open " + name);
    long names = TreeCheck.run(version, finding -> problems[0]++);
    check(problems[0] == 0, "fsck found %d problems in %s".formatted(problems[0], name));
    news.accept("fsck of %s: %,d names, no problem".formatted(name, names));
  }

  private static Duration since(long beginNanos) {
    return Duration.ofNanos(System.nanoTime() - beginNanos);
  }

  private static void check(boolean holds, String problem) {
    if (!holds) {
      throw new CommandException(ExitCode.FAILED, "the demo failed: " + problem);
    }
  }

  private static <T> T valueOf(Result<T> result, String operation) {
    return switch (result) {
      case Result.Success<T>(T value) -> value;
      case Result.Failure<T>(Errno errno) ->
          throw new CommandException(
              ExitCode.FAILED, "the demo failed: cannot %s: %s".formatted(operation, errno));
    };
  }

  @Override
  public void close() {
    commands.close();
    silver.close();
    cluster.close();
  }
}

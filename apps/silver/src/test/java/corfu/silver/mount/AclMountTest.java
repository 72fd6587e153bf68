package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import corfu.fuse.Result;
import corfu.fuse.testing.FuseMachine;
import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access control lists of a mount, set and read by the tools of Linux, and used by other users. */
class AclMountTest {

  private static final int USER = 54_321;
  private static final int STRANGER = 54_322;

  @TempDir private Path directory;

  private final RealWorld world = new RealWorld();
  private EmbeddedCluster cluster;
  private Corfu corfu;
  private Silver silver;
  private SilverMount mount;
  private Path root;

  private record Output(int status, String text) {}

  @BeforeEach
  void mount() throws Exception {
    FuseMachine.require();
    requireTools();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    cluster = EmbeddedCluster.builder().start();
    corfu = cluster.connect();
    silver = Silver.over(corfu);
    SilverFileSystem files = valueOf(silver.create("files", silver.caller(0, 0)));
    root = Files.createDirectory(directory.resolve("mount"));
    mount = SilverMount.mount(world, silver, files, "files", root);
  }

  @AfterEach
  void unmount() throws IOException {
    if (mount != null) {
      mount.close();
      corfu.close();
      cluster.close();
    }
    world.close();
  }

  /** The tools are in the packages acl and util-linux. */
  private static void requireTools() throws Exception {
    List<String> missing = new ArrayList<>();
    for (String tool : List.of("setfacl", "getfacl", "setpriv")) {
      if (run(List.of("sh", "-c", "command -v " + tool)).status() != 0) {
        missing.add(tool);
      }
    }
    String text = "this machine lacks %s: install the packages acl and util-linux";
    if ("required".equals(System.getenv("CORFU_TEST_FUSE"))) {
      assertThat(missing).as(text, missing).isEmpty();
    } else {
      assumeTrue(missing.isEmpty(), text.formatted(missing));
    }
  }

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static Output run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Output(process.waitFor(), text.strip());
  }

  private static String done(String... command) throws Exception {
    Output output = run(List.of(command));
    assertThat(output.status()).as("%s: %s", List.of(command), output.text()).isZero();
    return output.text();
  }

  private static void set(Path path, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("setfacl"));
    command.addAll(List.of(arguments));
    command.add(path.toString());
    String unused = done(command.toArray(String[]::new));
  }

  /** Returns the entries as getfacl prints them, one a word. */
  private static String list(Path path) throws Exception {
    return done("getfacl", "--omit-header", "--absolute-names", "--numeric", "-E", path.toString())
        .replace('\n', ' ');
  }

  private static String mode(Path path) throws Exception {
    return done("stat", "-c", "%a", path.toString());
  }

  private static Output as(int user, String... command) throws Exception {
    List<String> full =
        new ArrayList<>(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"));
    full.addAll(List.of(command));
    return run(full);
  }

  private static void assertMay(int user, String... command) throws Exception {
    Output output = as(user, command);
    assertThat(output.status()).as("user %d: %s", user, output.text()).isZero();
  }

  private static void assertMayNot(int user, String... command) throws Exception {
    Output output = as(user, command);
    assertThat(output.status()).as("user %d", user).isNotZero();
    assertThat(output.text()).contains("Permission denied");
  }

  private Path file(String name, String mode) throws Exception {
    Path file = Files.writeString(root.resolve(name), "text");
    String unused = done("chmod", mode, file.toString());
    return file;
  }

  @Test
  void aListGrantsAndDeniesAccess() throws Exception {
    Path file = file("file", "640");
    assertMayNot(USER, "cat", file.toString());

    set(file, "-m", "u:" + USER + ":r");
    assertMay(USER, "cat", file.toString());
    assertMayNot(STRANGER, "cat", file.toString());
    assertMayNot(USER, "sh", "-c", "echo x >> " + file);
    assertThat(list(file))
        .isEqualTo("user::rw- user:%d:r-- group::r-- mask::r-- other::---".formatted(USER));
    assertThat(mode(file)).isEqualTo("640");

    set(file, "-m", "g:" + STRANGER + ":rw");
    assertMay(STRANGER, "sh", "-c", "echo x >> " + file);
    assertThat(mode(file)).isEqualTo("660");

    set(file, "-b");
    assertMayNot(USER, "cat", file.toString());
    assertMayNot(STRANGER, "cat", file.toString());
    assertThat(list(file)).isEqualTo("user::rw- group::r-- other::---");
    assertThat(mode(file)).isEqualTo("640");
  }

  @Test
  void chmodChangesTheMask() throws Exception {
    Path file = file("file", "600");
    set(file, "-m", "u:" + USER + ":rw");
    assertMay(USER, "sh", "-c", "echo x >> " + file);

    String unused = done("chmod", "640", file.toString());
    assertMayNot(USER, "sh", "-c", "echo x >> " + file);
    assertMay(USER, "cat", file.toString());
    assertThat(list(file))
        .isEqualTo("user::rw- user:%d:rw- group::--- mask::r-- other::---".formatted(USER));
  }

  @Test
  void aDefaultListIsInheritedInsteadOfTheUmask() throws Exception {
    Path above = Files.createDirectory(root.resolve("above"));
    set(above, "-d", "-m", "u::rwx,g::r-x,o::---,u:" + USER + ":rwx");

    String unused =
        done(
            "sh",
            "-c",
            "umask 077; cd %s; touch file; mkdir below; mkfifo pipe; ln -s file link"
                .formatted(above));
    assertThat(list(above.resolve("file")))
        .isEqualTo("user::rw- user:%d:rwx group::r-x mask::rw- other::---".formatted(USER));
    assertThat(mode(above.resolve("file"))).isEqualTo("660");
    assertThat(mode(above.resolve("pipe"))).isEqualTo("660");
    assertThat(mode(above.resolve("link"))).isEqualTo("777");
    assertThat(list(above.resolve("below")))
        .isEqualTo(
            ("user::rwx user:%1$d:rwx group::r-x mask::rwx other::--- default:user::rwx"
                    + " default:user:%1$d:rwx default:group::r-x default:mask::rwx"
                    + " default:other::---")
                .formatted(USER));
    assertMay(USER, "sh", "-c", "echo x >> " + above.resolve("file"));
    assertMay(USER, "touch", above.resolve("below/mine").toString());
    assertMayNot(STRANGER, "cat", above.resolve("file").toString());
  }

  @Test
  void withoutADefaultListTheUmaskCounts() throws Exception {
    String unused = done("sh", "-c", "umask 027; cd %s; touch file; mkdir below".formatted(root));
    assertThat(mode(root.resolve("file"))).isEqualTo("640");
    assertThat(mode(root.resolve("below"))).isEqualTo("750");
  }

  @Test
  void aMinimalDefaultListNeedsNoListOfItsOwn() throws Exception {
    Path above = Files.createDirectory(root.resolve("above"));
    set(above, "-d", "-m", "u::rwx,g::rx,o::-");
    String unused = done("sh", "-c", "umask 0; touch " + above.resolve("file"));

    assertThat(list(above.resolve("file"))).isEqualTo("user::rw- group::r-- other::---");
    set(above, "-k");
    assertThat(list(above)).isEqualTo("user::rwx group::r-x other::r-x");
  }

  @Test
  void aUserWithoutTheGroupLosesTheSetGroupIdBit() throws Exception {
    Path file = file("file", "644");
    String unused = done("chown", USER + ":" + STRANGER, file.toString());
    unused = done("chmod", "2755", file.toString());

    assertMay(USER, "setfacl", "-m", "u:" + STRANGER + ":r", file.toString());
    assertThat(mode(file)).isEqualTo("755");
    unused = done("chmod", "2755", file.toString());
    set(file, "-m", "u:" + USER + ":rw");
    assertThat(mode(file)).isEqualTo("2775");
  }

  @Test
  void listsAreInVersionsAndClones() throws Exception {
    Path file = file("file", "600");
    set(file, "-m", "u:" + USER + ":r");
    String version = Files.readString(root.resolve(".silver/version")).strip();
    set(file, "-b");

    Path then = root.resolve(".silver/at/" + version + "/file");
    assertMay(USER, "cat", then.toString());
    assertMayNot(STRANGER, "cat", then.toString());
    assertMayNot(USER, "cat", file.toString());

    set(file, "-m", "u:" + USER + ":r");
    SilverFileSystem clone =
        valueOf(silver.clone("files", Optional.empty(), "clone", silver.caller(0, 0)));
    Path there = Files.createDirectory(directory.resolve("there"));
    try (var cloned = SilverMount.mount(world, silver, clone, "clone", there)) {
      assertMay(USER, "cat", cloned.directory().resolve("file").toString());
      assertMayNot(STRANGER, "cat", cloned.directory().resolve("file").toString());
    }
  }

  @Test
  void anotherMountObeysAListAtOnce() throws Exception {
    Path there = Files.createDirectory(directory.resolve("there"));
    Path file = file("file", "600");
    try (Corfu second = cluster.connect()) {
      Silver elsewhere = Silver.over(second);
      SilverFileSystem files = valueOf(elsewhere.open("files"));
      try (var other = SilverMount.mount(world, elsewhere, files, "files", there)) {
        Path same = other.directory().resolve("file");
        assertMayNot(USER, "cat", same.toString());
        set(file, "-m", "u:" + USER + ":r");
        assertMay(USER, "cat", same.toString());
        set(file, "-x", "u:" + USER);
        assertMayNot(USER, "cat", same.toString());
      }
    }
  }
}

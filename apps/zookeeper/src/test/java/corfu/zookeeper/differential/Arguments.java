package corfu.zookeeper.differential;

import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Random;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.jspecify.annotations.Nullable;

/** Random arguments from small sets, so that requests meet at the same nodes. */
final class Arguments {

  /** The program's own node, of which a tilde stands for the path. */
  private static final String ROOT = "~";

  private static final List<String> PATHS =
      List.of(
          "~/a",
          "~/a",
          "~/a",
          "~/b",
          "~/b",
          "~/c",
          "~/a/x",
          "~/a/x",
          "~/a/y",
          "~/b/x",
          "~/q",
          "~/q",
          "~/a/x/1",
          "~/a/x/2",
          "~/q/n",
          "~/q/n0000000000",
          "~/a/n0000000002");

  /** These cannot be created or changed in a way that outlasts a program. */
  private static final List<String> SHARED_PATHS = List.of("/", "/zookeeper", "/nothing/here");

  /** Stands for a null in place of a path. */
  static final String NULL_PATH = "(null)";

  private static final List<String> INVALID_PATHS =
      List.of(
          NULL_PATH,
          "",
          "a",
          "~/",
          "~/a/",
          "~//a",
          "~/./a",
          "~/a/..",
          "~/\u0001",
          "~/a\u0000b",
          "~/\uf8ff",
          "a/b",
          "//");

  private static final List<Integer> VERSIONS = List.of(-1, -1, -1, -1, -1, -1, 0, 0, 1, 2, 3, 99);

  private static final ACL ANYONE = new ACL(Perms.ALL, Ids.ANYONE_ID_UNSAFE);

  private final Random random;

  Arguments(Random random) {
    this.random = random;
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns a valid path of a program's own nodes. */
  String path() {
    return oneOf(PATHS);
  }

  /** Returns a path for a request that changes nothing. */
  String pathToRead() {
    int die = below(100);
    return die < 80
        ? path()
        : die < 88 ? ROOT : die < 93 ? oneOf(SHARED_PATHS) : oneOf(INVALID_PATHS);
  }

  /** Returns a path for a request that changes a node. */
  String pathToChange() {
    int die = below(100);
    return die < 96 ? path() : die < 98 ? ROOT : oneOf(INVALID_PATHS);
  }

  List<String> paths() {
    return random.ints(below(4)).mapToObj(any -> path()).toList();
  }

  int version() {
    return oneOf(VERSIONS);
  }

  Data data() {
    int die = below(100);
    if (die < 5) {
      return new Data(null);
    }
    byte[] bytes = new byte[die < 10 ? 0 : die < 90 ? below(40) : below(5000)];
    random.nextBytes(bytes);
    return new Data(bytes);
  }

  /** Returns an access control list, which may be invalid. */
  Acl acl() {
    return switch (below(24)) {
      case 0 -> new Acl("read", List.of(new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE)));
      case 1 -> new Acl("all but delete", anyone(Perms.ALL ^ Perms.DELETE));
      case 2 -> new Acl("all but create", anyone(Perms.ALL ^ Perms.CREATE));
      case 3 -> new Acl("all but read", anyone(Perms.ALL ^ Perms.READ));
      case 4 -> new Acl("creator", List.of(new ACL(Perms.ALL, Ids.AUTH_IDS)));
      case 5 ->
          new Acl(
              "alice, bob reads",
              List.of(new ACL(Perms.ALL, digest("alice")), new ACL(Perms.READ, digest("bob"))));
      case 6 -> new Acl("ip", List.of(new ACL(Perms.ALL, new Id("ip", "127.0.0.0/8"))));
      case 7 -> new Acl("other ip", List.of(new ACL(Perms.ALL, new Id("ip", "10.1.2.3"))));
      case 8 -> new Acl("twice", List.of(ANYONE, ANYONE));
      case 9 -> invalidAcl();
      case 10 ->
          new Acl("bob, anyone reads", List.of(new ACL(Perms.ALL, digest("bob")), readable()));
      default -> new Acl("open", List.of(ANYONE));
    };
  }

  private Acl invalidAcl() {
    return switch (below(6)) {
      case 0 -> new Acl("empty", List.of());
      case 1 -> new Acl("null", null);
      case 2 -> new Acl("unknown scheme", List.of(new ACL(Perms.ALL, new Id("none", "x"))));
      case 3 -> new Acl("invalid ip", List.of(new ACL(Perms.ALL, new Id("ip", "1.2.3.4.5"))));
      case 4 -> new Acl("invalid digest", List.of(new ACL(Perms.ALL, new Id("digest", "x"))));
      default -> new Acl("world nobody", List.of(new ACL(Perms.ALL, new Id("world", "x"))));
    };
  }

  private static ACL readable() {
    return new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE);
  }

  private static List<ACL> anyone(int permissions) {
    return List.of(new ACL(permissions, Ids.ANYONE_ID_UNSAFE));
  }

  private static Id digest(String user) {
    try {
      return new Id("digest", DigestAuthenticationProvider.generateDigest(user + ":secret"));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("SHA-1 is part of every JDK", e);
    }
  }

  /** Bytes or null, with a short text. */
  record Data(byte @Nullable [] bytes) {
    @Override
    public String toString() {
      return bytes == null ? "null" : bytes.length + " bytes";
    }
  }

  /** An access control list or null, with a name. */
  record Acl(String name, @Nullable List<ACL> list) {
    @Override
    public String toString() {
      return name;
    }
  }
}

package corfu.fuse.mount;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import corfu.fuse.linux.Errno;
import corfu.fuse.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The program {@code fusermount3}, which has the privilege to mount for other users than root. It
 * opens the device, mounts it, and passes the descriptor over a socket.
 */
final class FuserMount {

  private static final String FUSERMOUNT = "fusermount3";
  private static final String SOCKET_VARIABLE = "_FUSE_COMMFD";
  private static final int UNIX_DOMAIN = 1;
  private static final int STREAM = 1;
  private static final int CONTROL_BYTES = 24;

  private final Path mountPoint;
  private final String program;

  FuserMount(Path mountPoint) {
    this(mountPoint, FUSERMOUNT);
  }

  /**
   * @param program the name of the program, which the search path has
   */
  FuserMount(Path mountPoint, String program) {
    this.mountPoint = mountPoint;
    this.program = program;
  }

  /** Mounts. Returns the descriptor of the device. */
  Device mount(MountOptions options) throws MountException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pair = arena.allocate(JAVA_INT, 2);
      int made = SystemCalls.socketPair(UNIX_DOMAIN, STREAM, 0, pair);
      if (made < 0) {
        throw new MountException(Errno.of(made), "No socket for " + program);
      }
      int ours = pair.getAtIndex(JAVA_INT, 0);
      int theirs = pair.getAtIndex(JAVA_INT, 1);
      try {
        int status;
        try {
          status = run(arena, List.of("-o", text(options), "--", mountPoint.toString()), theirs);
        } finally {
          int unused = SystemCalls.close(theirs);
        }
        if (status != 0) {
          throw new MountException(
              Errno.EPERM,
              "%s could not mount on %s; its message is on the standard error stream"
                  .formatted(program, mountPoint));
        }
        return new Device(receive(arena, ours));
      } finally {
        int unused = SystemCalls.close(ours);
      }
    }
  }

  /** Unmounts; with {@code lazy} even if the mount is in use. */
  void unmount(boolean lazy) throws MountException {
    try (Arena arena = Arena.ofConfined()) {
      List<String> arguments =
          lazy
              ? List.of("-u", "-z", "--", mountPoint.toString())
              : List.of("-u", "--", mountPoint.toString());
      if (run(arena, arguments, -1) != 0) {
        throw new MountException(
            Errno.EBUSY,
            "%s could not unmount %s; its message is on the standard error stream"
                .formatted(program, mountPoint));
      }
    }
  }

  private static String text(MountOptions options) {
    StringBuilder text =
        new StringBuilder("fsname=%s,subtype=%s".formatted(options.name(), options.subtype()));
    MountOptions.Access access = options.access();
    if (access.allowOther()) {
      text.append(",allow_other");
    }
    if (access.defaultPermissions()) {
      text.append(",default_permissions");
    }
    if (access.readOnly()) {
      text.append(",ro");
    }
    if (options.transfer().maxReadBytes() > 0) {
      text.append(",max_read=").append(options.transfer().maxReadBytes());
    }
    return text.toString();
  }

  /** Runs the program to its end. Returns 0 if it succeeded. */
  private int run(Arena arena, List<String> arguments, int socket) throws MountException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(arguments);
    List<String> environment = new ArrayList<>();
    for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
      environment.add(variable.getKey() + "=" + variable.getValue());
    }
    environment.add(SOCKET_VARIABLE + "=" + socket);
    MemorySegment pid = arena.allocate(JAVA_INT);
    int error =
        SystemCalls.spawn(
            pid,
            arena.allocateFrom(program),
            MemorySegment.NULL,
            MemorySegment.NULL,
            strings(arena, command),
            strings(arena, environment));
    if (error != 0) {
      throw new MountException(
          Errno.of(error),
          "Only root may mount without %s; run as root, or install the package fuse3"
              .formatted(program));
    }
    MemorySegment status = arena.allocate(JAVA_INT);
    int waited;
    do {
      waited = SystemCalls.waitFor(pid.get(JAVA_INT, 0), status, 0);
    } while (waited == -Errno.EINTR.code());
    return status.get(JAVA_INT, 0);
  }

  private static MemorySegment strings(Arena arena, List<String> strings) {
    MemorySegment array = arena.allocate(ADDRESS, strings.size() + 1L);
    for (int i = 0; i < strings.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(strings.get(i)));
    }
    return array; // the last one is null
  }

  /**
   * Receives one descriptor.
   *
   * <pre>
   * msghdr:  name 8 | name length 8 | iovec 8 | iovecs 8 | control 8 | control length 8 | flags 8
   * control: length 8 | level 4 | type 4 | descriptor 4 | padding 4
   * </pre>
   */
  private int receive(Arena arena, int socket) throws MountException {
    MemorySegment message = arena.allocate(56, 8);
    MemorySegment vector = arena.allocate(16, 8);
    MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
    vector.set(ADDRESS, 0, arena.allocate(1));
    vector.set(JAVA_LONG, 8, 1);
    message.set(ADDRESS, 16, vector);
    message.set(JAVA_LONG, 24, 1);
    message.set(ADDRESS, 32, control);
    message.set(JAVA_LONG, 40, CONTROL_BYTES);
    long received = SystemCalls.receiveMessage(socket, message, 0);
    if (received <= 0 || message.get(JAVA_LONG, 40) < 20) {
      throw new MountException(
          received < 0 ? Errno.of(received) : Errno.EIO, program + " passed no descriptor");
    }
    return control.get(JAVA_INT, 16);
  }
}

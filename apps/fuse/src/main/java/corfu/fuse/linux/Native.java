package corfu.fuse.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of the C library, and the memory of the calling thread that they need.
 *
 * <p>Each thread owns a place for {@code errno} and a scratch area for paths and structures. So a
 * system call allocates nothing.
 */
@SuppressWarnings("restricted") // this package is the place of native calls
final class Native {

  /** Two paths of the longest length, and a structure. */
  private static final int SCRATCH_BYTES = 3 * 4096;

  private static final int SECOND_PATH = 4096;
  private static final int STRUCTURE = 2 * 4096;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  private static final ThreadLocal<Native> OF_THREAD = ThreadLocal.withInitial(Native::new);

  /** The structure that receives {@code errno} of a failed call. */
  final MemorySegment state;

  private final MemorySegment scratch;

  private Native() {
    Arena arena = Arena.ofAuto();
    state = arena.allocate(Linker.Option.captureStateLayout());
    scratch = arena.allocate(SCRATCH_BYTES, 8);
  }

  /** Returns the memory of the calling thread. */
  static Native ofThread() {
    return OF_THREAD.get();
  }

  /** Returns a handle for a C function. Its first argument is {@link #state}. */
  static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(result, arguments),
        CAPTURE);
  }

  /**
   * Returns a handle for a C function with a variable number of arguments.
   *
   * @param fixed the number of arguments that are always there
   */
  static MethodHandle variadic(
      String name, int fixed, MemoryLayout result, MemoryLayout... arguments) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(result, arguments),
        CAPTURE,
        Linker.Option.firstVariadicArg(fixed));
  }

  /** Returns {@code result}, or the negated error number if the call returned -1. */
  long checked(long result) {
    return result == -1 ? -state.get(JAVA_INT, ERRNO_OFFSET) : result;
  }

  /** Returns {@code result}, or the negated error number if the call returned -1. */
  int checked(int result) {
    return result == -1 ? -state.get(JAVA_INT, ERRNO_OFFSET) : result;
  }

  /**
   * Copies a path and a terminating zero into the scratch area.
   *
   * @throws IllegalArgumentException if the path has 4096 bytes or more
   */
  MemorySegment path(byte[] path) {
    return path(path, 0);
  }

  /** Copies the second path of a call into the scratch area. */
  MemorySegment secondPath(byte[] path) {
    return path(path, SECOND_PATH);
  }

  private MemorySegment path(byte[] path, int offset) {
    if (path.length >= SECOND_PATH) {
      throw new IllegalArgumentException("a path of " + path.length + " bytes; at most 4095");
    }
    MemorySegment.copy(path, 0, scratch, JAVA_BYTE, offset, path.length);
    scratch.set(JAVA_BYTE, offset + path.length, (byte) 0);
    return scratch.asSlice(offset, path.length + 1L);
  }

  /** Returns a zeroed part of the scratch area that no path uses. */
  MemorySegment structure(int bytes) {
    return scratch.asSlice(STRUCTURE, bytes).fill((byte) 0);
  }

  /** Turns a failure of the FFM API itself, which no call should ever cause, into an error. */
  static AssertionError broken(Throwable cause) {
    return new AssertionError("a system call could not be made", cause);
  }
}

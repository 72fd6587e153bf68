package corfu.objects.type;

import org.jspecify.annotations.Nullable;

/** Takes the calls that users make on a replicated object. Thread-safe. */
public interface Invoker {

  /**
   * Calls an operation.
   *
   * @param operation its place in {@link ObjectType#operations}
   * @param arguments the array is the invoker's from now on
   * @return what the method returns; null where it returns nothing
   * @throws Throwable what the operation threw, or why it could not be called
   */
  @Nullable Object invoke(int operation, @Nullable Object[] arguments) throws Throwable;

  /**
   * Runs the body of a transactional method.
   *
   * @param operation its place in {@link ObjectType#operations}
   * @throws Throwable what the body threw, or why there was no transaction
   */
  @Nullable Object transact(int operation, Body body) throws Throwable;

  /** A transactional method's body; the invoker may run it several times. */
  @FunctionalInterface
  interface Body {
    @Nullable Object run() throws Throwable;
  }
}

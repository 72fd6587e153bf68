package corfu.objects.generated;

import corfu.objects.type.Invoker;
import java.util.concurrent.Callable;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.bind.annotation.FieldValue;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.SuperCall;
import org.jspecify.annotations.Nullable;

/**
 * The code of a replica's transactional method: it hands the method's body to the invoker. The body
 * is the class's own code, run on the replica, so that the operations that it calls are
 * transactional.
 */
public final class Transactional {

  private final int operation;

  private Transactional(int operation) {
    this.operation = operation;
  }

  static Implementation operation(int operation) {
    return MethodDelegation.to(new Transactional(operation));
  }

  /** Called by generated code. */
  @RuntimeType
  public @Nullable Object run(
      @FieldValue("corfuInvoker") Invoker invoker, @SuperCall Callable<?> body) throws Throwable {
    return invoker.transact(operation, body::call);
  }
}

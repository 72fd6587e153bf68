package corfu.objects.generated;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import corfu.objects.type.Invoker;
import corfu.objects.type.Operation.Kind;
import corfu.objects.type.Replica;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.NamingStrategy;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.implementation.bytecode.assign.Assigner;

/**
 * Generates the class of what users hold: a subclass of theirs whose operations call an invoker
 * with their number and arguments. It lies in the same package and class loader, so that classes
 * need not be public.
 */
final class Replicas<T> {

  private static final String INVOKER = "corfuInvoker";

  private final Class<T> type;
  private final MethodHandle constructor;
  private final MethodHandle setInvoker;

  private Replicas(Class<T> type, MethodHandle constructor, MethodHandle setInvoker) {
    this.type = type;
    this.constructor = constructor;
    this.setInvoker = setInvoker;
  }

  static <T> Replicas<T> of(Blueprint<T> blueprint, MethodHandles.Lookup lookup) {
    try {
      Class<?> generated =
          generate(blueprint)
              .make()
              .load(blueprint.type().getClassLoader(), ClassLoadingStrategy.UsingLookup.of(lookup))
              .getLoaded();
      var inside =
          lookup.in(generated); // in the package of the type, which may be of another module
      return new Replicas<>(
          blueprint.type(),
          inside
              .findConstructor(generated, MethodType.methodType(void.class))
              .asType(MethodType.methodType(Object.class)),
          inside
              .findSetter(generated, INVOKER, Invoker.class)
              .asType(MethodType.methodType(void.class, Object.class, Invoker.class)));
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new ObjectTypeException(
          "nothing can be put in the place of a " + blueprint.type().getName() + ": " + e, e);
    }
  }

  private static <T> DynamicType.Builder<?> generate(Blueprint<T> blueprint)
      throws NoSuchMethodException {
    Method invoke = Invoker.class.getMethod("invoke", int.class, Object[].class);
    DynamicType.Builder<?> builder =
        new ByteBuddy()
            .with(new NamingStrategy.SuffixingRandom("Replica"))
            .subclass(blueprint.type())
            .implement(Replica.class)
            .defineField(INVOKER, Invoker.class, Modifier.PUBLIC | Modifier.TRANSIENT)
            .method(named(INVOKER))
            .intercept(FieldAccessor.ofField(INVOKER));
    for (int i = 0; i < blueprint.methods().size(); i++) {
      Method method = blueprint.methods().get(i);
      Kind kind = blueprint.operations().get(i).kind();
      builder =
          builder
              .method(named(method.getName()).and(takesArguments(method.getParameterTypes())))
              .intercept(
                  kind == Kind.TRANSACTION || kind == Kind.READ_ONLY_TRANSACTION
                      ? Transactional.operation(i)
                      : MethodCall.invoke(invoke)
                          .onField(INVOKER)
                          .with(i)
                          .withArgumentArray()
                          .withAssigner(Assigner.DEFAULT, Assigner.Typing.DYNAMIC));
    }
    return builder;
  }

  T make(Invoker invoker) {
    try {
      Object replica = (Object) constructor.invokeExact();
      setInvoker.invokeExact(replica, invoker);
      return type.cast(replica);
    } catch (Throwable failure) {
      throw failed(type, failure);
    }
  }

  static ObjectTypeException failed(Class<?> type, Throwable failure) {
    return new ObjectTypeException(
        "can't make what stands for a %s: its constructor failed, or called one of its operations"
            .formatted(type.getName()),
        failure);
  }
}

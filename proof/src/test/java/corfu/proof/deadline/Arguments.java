package corfu.proof.deadline;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.serial.InLog;
import corfu.objects.tango.TangoObject;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AsOf;
import corfu.runtime.Log;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Subscriber;
import corfu.store.Changes;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Makes the arguments of methods: a usable value of each type, made while all servers reply. */
final class Arguments {

  private Arguments() {}

  static Object[] of(Method method, Stand stand) {
    Type[] types = method.getGenericParameterTypes();
    Class<?>[] classes = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = of(types[i].getTypeName(), classes[i], method, stand);
    }
    return arguments;
  }

  private static Object of(String type, Class<?> raw, Method method, Stand stand) {
    return switch (type) {
      case "java.util.Collection<corfu.protocol.StreamId>",
          "java.util.List<corfu.protocol.StreamId>" ->
          List.of(stand.stream().id());
      case "java.util.List<corfu.protocol.Address>" -> List.of(stand.newest());
      case "java.util.List<corfu.protocol.PayloadRange>" ->
          List.of(new PayloadRange(stand.newest().value(), 0, 1));
      case "java.util.List<corfu.protocol.stream.StreamPart>" ->
          List.of(StreamPart.whole(stand.stream().id()));
      case "java.util.Optional<corfu.protocol.stream.Condition>" -> Optional.<Condition>empty();
      case "java.util.List<corfu.runtime.stream.StreamReader>" ->
          List.<StreamReader>of(stand.stream().reader());
      default -> ofClass(raw, method, stand);
    };
  }

  private static Object ofClass(Class<?> raw, Method method, Stand stand) {
    Optional<Object> ours = ofOurs(raw, stand);
    if (ours.isPresent()) {
      return ours.get();
    }
    if (raw == int.class) {
      return method.getDeclaringClass() == Log.class ? 1 : 0; // a range has one byte or more
    } else if (raw == long.class) {
      return 1L;
    } else if (raw == boolean.class) {
      return true;
    } else if (raw == byte[].class) {
      return new byte[] {1};
    } else if (raw == ByteBuffer.class) {
      return ByteBuffer.wrap(new byte[] {1});
    } else if (raw == Object[].class && method.isVarArgs()) {
      return new Object[] {stand.map()};
    } else if (raw == Object[].class) {
      return new String[0];
    } else if (raw == Map.class) {
      return Map.of("a", "b");
    } else if (raw == Object.class || raw == String.class || raw == Comparable.class) {
      return "a";
    } else if (raw.isAssignableFrom(List.class)) {
      return List.of("a");
    }
    return ofFunction(raw, method, stand);
  }

  private static Optional<Object> ofOurs(Class<?> raw, Stand stand) {
    Object found =
        Map.<Class<?>, Supplier<?>>ofEntries(
                Map.entry(Address.class, stand::newest),
                Map.entry(StreamAddress.class, () -> new StreamAddress(1)),
                Map.entry(StreamId.class, () -> StreamId.named(stand.name())),
                Map.entry(Condition.class, () -> condition(stand)),
                Map.entry(AsOf.class, () -> AsOf.DECIDED),
                Map.entry(
                    StreamEnds.class, () -> stand.streams().ends(List.of(stand.stream().id()))),
                Map.entry(
                    StreamAppend.Appended.class,
                    () -> stand.stream().append(ByteBuffer.wrap("a".getBytes(UTF_8)))),
                Map.entry(Subscriber.class, () -> (Subscriber) Arguments::ignore),
                Map.entry(InLog.class, () -> InLog.of("c")),
                Map.entry(TransactionOptions.class, () -> TransactionOptions.DEFAULT),
                Map.entry(RemoteOptions.class, () -> RemoteOptions.DEFAULT),
                Map.entry(Class.class, () -> Stand.Account.class),
                Map.entry(TangoObject.class, Stand.Register::new),
                Map.entry(ObjectType.class, () -> ReplicatedMap.of(String.class, String.class)),
                Map.entry(Changes.class, () -> new Changes().put("a", "c".getBytes(UTF_8))))
            .getOrDefault(raw, () -> Arguments.class)
            .get();
    return found == Arguments.class ? Optional.empty() : Optional.of(found);
  }

  private static void ignore(StreamRead.Entry entry) {}

  private static Condition condition(Stand stand) {
    return new Condition(
        stand.corfu().log().tail().value(), List.of(StreamPart.whole(stand.stream().id())));
  }

  /** Makes functions that call back. */
  private static Object ofFunction(Class<?> raw, Method method, Stand stand) {
    return switch (raw.getSimpleName()) {
      case "Runnable" -> (Runnable) stand::transfer;
      case "Supplier" -> (Supplier<String>) stand::transfer;
      case "Consumer" -> (Consumer<Object>) given -> {};
      case "BiConsumer" -> (BiConsumer<Object, Object>) (one, other) -> {};
      case "UnaryOperator" -> (UnaryOperator<Object>) given -> "d";
      case "BinaryOperator" -> (BinaryOperator<Object>) (one, other) -> "d";
      case "Function" -> (Function<Object, Object>) given -> "d";
      case "BiFunction" -> (BiFunction<Object, Object, Object>) (one, other) -> "d";
      case "LongConsumer" -> (LongConsumer) given -> {};
      case "Predicate" -> (Predicate<Object>) given -> true;
      case "IntFunction" -> (IntFunction<Object[]>) String[]::new;
      case "Comparator" -> Comparator.<Object, String>comparing(String::valueOf);
      default ->
          throw new AssertionError(
              "%s has a parameter of type %s: add an argument for it here, of %s"
                  .formatted(method, raw, Arrays.toString(method.getParameterTypes())));
    };
  }
}

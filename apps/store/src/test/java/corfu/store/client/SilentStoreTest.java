package corfu.store.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls on a store that falls silent: in the middle of its answer. */
@Timeout(60)
class SilentStoreTest {

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private final Thread answering = Thread.ofVirtual().start(this::answerHalf);
  private final StoreClient client =
      StoreClient.connect(
          URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"), Duration.ofMillis(300));

  SilentStoreTest() throws IOException {}

  @AfterEach
  void stop() throws IOException, InterruptedException {
    client.close();
    server.close();
    for (Socket each : open) {
      each.close();
    }
    answering.join();
  }

  private void answerHalf() {
    try {
      while (true) {
        Socket socket = server.accept();
        open.add(socket);
        socket
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(UTF_8));
        socket.getOutputStream().flush();
      }
    } catch (SocketException closed) {
      // the test is over
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  static Stream<Method> calls() {
    return Arrays.stream(StoreClient.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !method.isSynthetic() && !method.getName().equals("close"));
  }

  private static Object argument(Class<?> type) {
    if (type == long.class) {
      return 1L;
    } else if (type == int.class) {
      return 1;
    } else if (type == byte[].class) {
      return new byte[] {1};
    } else if (type == Map.class) {
      return Map.of();
    } else if (type == Collection.class) {
      return List.of("a");
    }
    return "a";
  }

  @ParameterizedTest
  @MethodSource("calls")
  void endByTheirTimeout(Method call) throws IllegalAccessException {
    Object[] arguments =
        Arrays.stream(call.getParameterTypes()).map(SilentStoreTest::argument).toArray();
    try {
      Object result = call.invoke(client, arguments);
      throw new AssertionError(call + " returned " + result);
    } catch (InvocationTargetException thrown) {
      assertThat(thrown.getCause())
          .isInstanceOfSatisfying(
              StoreClientException.class,
              failure -> {
                assertThat(failure.code()).isEqualTo("no-answer");
                assertThat(failure.isOutcomeUnknown()).isTrue();
              });
    }
  }
}

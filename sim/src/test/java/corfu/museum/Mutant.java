package corfu.museum;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Loads Corfu once more, with one source file compiled anew: other classes of the same names. */
final class Mutant extends ClassLoader {

  private final Path compiled;

  /**
   * @param source the file's changed text
   * @param compiled an empty directory
   */
  Mutant(Path file, String source, Path compiled) {
    super(Mutant.class.getClassLoader());
    this.compiled = compiled;
    compile(file, source);
  }

  private void compile(Path file, String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var unit =
        new SimpleJavaFileObject(
            URI.create("planted:///" + file.getFileName()), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter problems = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(compiled));
      List<String> options = List.of("-proc:none", "-nowarn");
      if (!compiler.getTask(problems, files, null, options, null, List.of(unit)).call()) {
        throw new IllegalStateException(file + " does not compile with the bug: " + problems);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("corfu.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : findClass(name);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    String path = name.replace('.', '/') + ".class";
    Path fresh = compiled.resolve(path);
    try (InputStream in =
        Files.exists(fresh) ? Files.newInputStream(fresh) : getParent().getResourceAsStream(path)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}

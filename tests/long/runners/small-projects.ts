import {
  ownOfBats,
  ownOfCargo,
  ownOfCtest,
  ownOfGo,
  ownOfGtest,
  ownOfPhpunit,
  ownOfPytest,
  ownOfRspec,
  programOf,
  type Runner,
} from './runners.ts';

const go = {
  'go.mod': 'module example.com/shop\n\ngo 1.19\n',
  'cart_test.go': `package shop

import (
	"fmt"
	"testing"
)

func TestAdds(t *testing.T)    {}
func TestFatal(t *testing.T)   { t.Log("context first"); t.Fatal("boom") }
func TestPartial(t *testing.T) { fmt.Print("no newline") }
func TestSkips(t *testing.T)   { t.Skip("no network") }
func TestTable(t *testing.T) {
	t.Run("one", func(t *testing.T) {})
	t.Run("two words", func(t *testing.T) { t.Error("second") })
}
`,
  'panics/p_test.go':
    'package panics\n\nimport "testing"\n\nfunc TestBefore(t *testing.T) {}\nfunc TestPanics(t *testing.T) { panic("kaboom") }\n',
};

const bun = programOf('bun', ['bun']) ?? 'bun';
const deno = programOf('deno', ['deno']) ?? 'deno';

export const runners: readonly Runner[] = [
  {
    name: 'go test -json',
    program: 'go',
    files: go,
    command: ['go', 'test', '-json', './...'],
    own: (folder) => ownOfGo(folder, './...'),
    failures: {
      TestFatal: { message: 'boom', file: 'cart_test.go', line: 9 },
      TestPanics: { message: 'panic: kaboom', file: 'panics/p_test.go', line: 6 },
    },
  },
  {
    name: 'gotestsum',
    program: 'gotestsum',
    files: go,
    command: ['gotestsum', '--', './...'],
    own: (folder) => ownOfGo(folder, './...'),
    failures: { TestFatal: { message: 'boom', file: 'cart_test.go', line: 9 } },
  },
  {
    name: 'cargo test',
    program: 'cargo',
    files: {
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `/// \`\`\`
/// assert_eq!(shop::add(1, 2), 3);
/// \`\`\`
pub fn add(a: u32, b: u32) -> u32 { a + b }
#[cfg(test)]
mod tests {
    use super::*;
    #[test] fn adds() { assert_eq!(add(1, 2), 3); }
    #[test] fn breaks() { assert_eq!(add(1, 2), 4, "sums"); }
    #[test] #[ignore = "no network"] fn skips() {}
    #[test] #[should_panic] fn calm() {}
}
`,
      'tests/cart.rs': '#[test] fn adds() {}\n#[test] fn result() -> Result<(), String> { Err("went wrong".into()) }\n',
    },
    command: ['cargo', 'test', '--no-fail-fast'],
    own: (folder) => ownOfCargo(folder),
    failures: { 'tests::breaks': { message: 'sums', file: 'src/lib.rs', line: 9 }, result: { message: 'went wrong' } },
  },
  {
    name: 'RSpec',
    program: 'rspec',
    files: {
      'spec/cart_spec.rb': `RSpec.describe 'cart' do
  it('adds') { expect(1).to eq 1 }
  it('breaks') { expect(1).to eq 2 }
  it('throws') { raise 'went wrong' }
  it('skips', skip: 'no network') { }
  it('later')
  pending('known') { expect(1).to eq 2 }
  context('deep') { it('twins') {} }
end
`,
    },
    command: ['rspec'],
    own: (folder) => ownOfRspec(folder),
    failures: {
      'cart breaks': { message: 'expected: 2', file: 'spec/cart_spec.rb', line: 3 },
      'cart throws': { message: 'went wrong', line: 4 },
    },
  },
  {
    name: 'PHPUnit',
    program: 'phpunit',
    files: {
      'CartTest.php': `<?php use PHPUnit\\Framework\\TestCase;
final class CartTest extends TestCase {
 public function testAdds(): void { $this->assertSame(1, 1); }
 public function testBreaks(): void { $this->assertSame(1, 2); }
 public function testThrows(): void { throw new RuntimeException('went wrong'); }
 public function testRisky(): void { }
 public function testSkips(): void { $this->markTestSkipped('no network'); }
 public function testLater(): void { $this->markTestIncomplete('not yet'); }
 /** @dataProvider sums */ public function testSums($a, $b): void { $this->assertSame($a, $b); }
 public static function sums(): array { return ['one' => [1, 1], 'two' => [1, 2]]; }
}
`,
    },
    command: ['phpunit', 'CartTest.php'],
    own: (folder) => ownOfPhpunit(folder, 'CartTest.php'),
    failures: {
      testBreaks: { message: 'Failed asserting that 2 is identical to 1.', file: 'CartTest.php', line: 4 },
      testThrows: { message: 'went wrong', line: 5 },
    },
  },
  {
    name: 'pytest',
    program: 'pytest',
    files: {
      'test_cart.py': `import pytest
def test_adds(): pass
def test_breaks(): assert 1 == 2, "sums"
@pytest.mark.skip(reason="no network")
def test_skips(): pass
@pytest.mark.xfail
def test_known(): assert False
@pytest.fixture
def broken(): raise RuntimeError("no fixture")
def test_fixture(broken): pass
@pytest.mark.parametrize("n", [1, 2])
def test_many(n): assert n == 1
`,
    },
    command: ['python3', '-m', 'pytest', '-q'],
    own: (folder) => ownOfPytest(folder),
    failures: { test_breaks: { message: 'sums', file: 'test_cart.py' }, test_fixture: { message: 'no fixture' } },
  },
  {
    name: 'bats',
    program: 'bats',
    files: {
      'a.bats': '@test "adds" { true; }\n@test "breaks" { [ 1 -eq 2 ]; }\n@test "later" { skip "no network"; }\n',
      'b.bats': '@test "adds" { true; }\n',
    },
    command: ['bats', '.'],
    own: (folder) => ownOfBats(folder),
    failures: { breaks: { message: 'failed', file: 'a.bats', line: 2 } },
  },
  {
    name: 'CTest',
    program: 'ctest',
    files: {
      'CMakeLists.txt': `cmake_minimum_required(VERSION 3.20)
project(shop NONE)
enable_testing()
add_test(NAME adds COMMAND true)
add_test(NAME breaks COMMAND sh -c "echo went wrong; exit 1")
add_test(NAME missing COMMAND nothing-here)
add_test(NAME skips COMMAND sh -c "exit 77")
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME off COMMAND true)
set_tests_properties(off PROPERTIES DISABLED TRUE)
`,
    },
    build: ['cmake', '-B', 'build', '.'],
    command: ['ctest', '--test-dir', 'build'],
    own: (folder) => ownOfCtest(folder),
    failures: { breaks: { message: 'went wrong' }, missing: { message: 'Unable to find executable' } },
  },
  {
    name: 'GoogleTest',
    program: 'g++',
    files: {
      'cart_test.cc': `#include <gtest/gtest.h>
TEST(Cart, Adds) { EXPECT_EQ(1, 1); }
TEST(Cart, Breaks) { EXPECT_EQ(1, 2) << "sums"; }
TEST(Cart, Skips) { GTEST_SKIP() << "no network"; }
`,
    },
    build: ['g++', '-std=c++17', 'cart_test.cc', '-o', 'cart_test', '-lgtest', '-lgtest_main', '-lpthread'],
    command: ['./cart_test'],
    own: (folder) => ownOfGtest(folder),
    failures: { Breaks: { message: 'sums' } },
  },
  {
    name: 'Bun',
    program: bun,
    files: {
      'cart.test.ts': `import { describe, expect, test } from 'bun:test';
describe('cart', () => { test('adds', () => {}); test('breaks', () => { throw new Error('broken'); }); test.skip('skips', () => {}); });
`,
    },
    command: [bun, 'test'],
    own: () => ['adds: CleanPass', 'breaks: Failed', 'skips: Skipped'],
    failures: { breaks: { message: 'broken' } },
  },
  {
    name: 'Deno',
    program: deno,
    files: {
      'cart_test.ts': `Deno.test('adds', () => {});
Deno.test('breaks', () => { throw new Error('broken'); });
Deno.test({ name: 'skips', ignore: true, fn() {} });
`,
    },
    command: [deno, 'test'],
    own: () => ['adds: CleanPass', 'breaks: Failed', 'skips: Skipped'],
    failures: { breaks: { message: 'broken' } },
  },
];
